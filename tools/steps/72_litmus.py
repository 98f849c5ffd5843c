# SPDX-License-Identifier: BSD-2-Clause
"""Litmus shapes: in the simulator, where all that is allowed has to be seen, and nothing that is forbidden."""

import errors
import litmus
import sim
from check import step
from trial import difference

# Broken hardware: what is forbidden happens, and is noticed.
BROKEN = [("MP.invRT1+dsb-tlbiis-dsb+dsb-isb", 2, "tlbi-stops-at-cluster"), ("MP.invRT1+dsb-tlbiis-dsb+dsb-isb", 2, "dsb-early"),
          ("MP.BBM1+dsb-tlbiis-dsb-dsb+dsb-isb", 2, "dsb-early")]


@step("normal")
def sim_litmus(report):
    """what each litmus shape allows is seen in the simulator, what it forbids never; docs/litmus.md says the same"""
    results = {arch: [] for arch in litmus.ISAS}
    for arch, of_arch in results.items():
        for found, status, text in litmus.explore(arch):
            report.expect(f"{found[0].shape} on {arch}", status == errors.OK, text)
            of_arch += found
    wanted, have = litmus.table(results), litmus.documented()[1]
    report.expect("docs/litmus.md", have == wanted, difference(have.encode(), wanted.encode()) + "\ntools/litmus.py writes it anew")
    broken = [litmus.cell(shape, cpus, ["--knob", knob]) for shape, cpus, knob in BROKEN]
    for cell, status, text in sim.explore(broken, (litmus.SCHEDULES, 0), 1, sim.make("arm64")):
        report.expect(cell.name, status == errors.FAILED and "violation VALUE" in text, f"exit status {status}\n{text}")
