# SPDX-License-Identifier: BSD-2-Clause
"""The race build of the simulator (docs/races.md): no two plain accesses that nothing orders, and one that is planted is seen."""

import combinations
import errors
import sim
import zoo
from check import step

PLANTED = "V8"  # reads the regions of an mm before it has the lock


def _races(report, arch, schedules, strategies, flags=()):
    """So few schedules may prove nothing about translations, and need not."""
    binary = sim.make(arch, SIM_RACE=1)
    todo = [cell for tlb in strategies for cell in sim.cells(binary, tlb, flags=flags)]  # None: all that are meant to be right
    for cell, status, text in sim.explore(todo, schedules, 1, binary):
        vacuous = "\nvacuous: " in text
        report.expect(f"{arch} {cell.name}", status == errors.OK or vacuous, text)


@step("normal")
def sim_race(report):
    """every scenario in the race build, a slice of schedules, both ISAs; a race that is planted is reported with both places"""
    _races(report, "x86_64", (40, 1), ["linux-6.18"], ["--pcid"])
    _races(report, "arm64", (20, 1), ["linux-arm64"])
    entry = next(e for e in zoo.entries() if e.id == PLANTED)
    copy = zoo.COPIES / "race"
    binary = zoo.build_tree(copy, lambda: zoo.mutate(entry, copy), "a planted race", sim.make(SIM_RACE=1))
    status, text = sim.run("--scenario", entry.scenario, "--quiet", "--write", copy / "race.replay", binary=binary)
    report.expect("a planted race", status == errors.FAILED and "violation O-RACE" in text and
                  "mm_unmap at change.c:" in text and "mm_fault at fault.c:" in text, text)


@step("all")
def sim_race_all(report):
    """the same under every strategy that is meant to be right, with more schedules"""
    _races(report, "x86_64", (500, 2), [None, *combinations.INTERRUPTS, *combinations.BROADCASTS, *combinations.MORE,
                                       *combinations.ALONE], ["--pcid"])
    _races(report, "x86_64", (500, 2), ["invlpgb+exact+batch=8"], ["--emulate", "--pcid"])
    _races(report, "arm64", (500, 2), [None, "ipi+generation", "broadcast+generation+ttl+ceiling=1024"])
