# SPDX-License-Identifier: BSD-2-Clause
"""Litmus shapes: in the simulator, where all that is allowed has to be seen, and nothing that is forbidden; and in QEMU."""

import build
import errors
import litmus
import qemu
import sim
import trial
from check import step

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
    advice = "\ntools/litmus.py writes it anew"
    report.expect("docs/litmus.md", have == wanted, trial.difference(have.encode(), wanted.encode()) + advice)
    broken = [litmus.cell(shape, cpus, ["--knob", knob]) for shape, cpus, knob in BROKEN]
    for cell, status, text in sim.explore(broken, (litmus.SCHEDULES, 0), 1, sim.make("arm64")):
        report.expect(cell.name, status == errors.FAILED and "violation VALUE" in text, f"exit status {status}\n{text}")


def _on_machine(report, name, machine):
    one = trial.guest_tests(report, name, machine)
    seen = {r.get("shape"): r.get("seen") for r in one.log.of_type("litmus") if r.get("outcome") == "stale"}
    report.expect(f"{name}: what is not invalidated stays", seen.get("CoWinvT") and not seen.get("MP.invRT1+ipi"), str(seen))


@step("normal")
def guest_litmus(report):
    """litmus shapes on the kernel's own CPUs, 3 of them, x86_64 and arm64"""
    words = ["tests=litmus", "bench=none", "rounds=1", "litmus=100", "tlb=ipi"]
    _on_machine(report, "x86_64", qemu.Machine(build.build(quiet=True), "direct", words, smp=3))
    _on_machine(report, "arm64", qemu.Arm64(build.build_arm64(quiet=True), [*words, "litmus_unbroken=yes"], smp=3))
