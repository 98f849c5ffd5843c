#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""
Scenarios that are small enough are searched completely (`./tlblab sim --exhaustive`), under each strategy that is meant to be
right. As a program it writes docs/exhaustive.md, with the commit: the table of them; that the reduction changes no outcome; and
that the search finds the bugs of the zoo.
"""

import concurrent.futures
import os
import re
import subprocess

import build
import combinations
import errors
import sim
import zoo

PATH = build.TOP / "docs" / "exhaustive.md"
# What is searched, on each ISA: (fills, preemptions) at most; None: no bound.
BOUNDS = {
    "x86_64": {"small_switch": (2, None), "small_lazy": (1, None), "small_promotion": (1, None), "small_migration": (1, None),
               "small_alone": (1, None), "asid_switch": (1, None), "small_flushers": (0, 2)},
    "arm64": {"small_switch": (2, None), "small_lazy": (2, None), "small_migration": (1, None), "small_alone": (2, None),
              "asid_switch": (2, None), "small_flushers": (0, 2)},
}
# On arm64 what interrupts has too many loads that may be late, and stores: so the bounds are lower, where they are enough.
BY_INTERRUPT = {"small_switch": (0, 1), "small_lazy": (0, 1), "small_migration": (0, 0), "small_alone": (0, 1),
                "asid_switch": (0, 1), "small_flushers": (0, 0)}
TOO_MUCH = [("arm64", "small_flushers", "invlpgb"), ("arm64", "small_flushers", "linux-6.18")]
BY_BROADCAST = ("tlbi-is", "tlbi-local", "linux-arm64", "broadcast")
FLAGS = {"x86_64": ["--pcid"], "arm64": []}
# Bugs of the zoo whose scenario is too large are searched for in the small one of the same kind.
SMALL = {
    "x86_64": {"switch_unmap": "small_switch", "lazy_tables": "small_lazy", "asid_move": "small_promotion",
               "asid_switch": "asid_switch"},
    "arm64": {"asid_range": "small_switch", "zaps_in_a_row": "small_switch", "alone": "small_alone"},
}
LARGER = ("E4",)  # in a range of pages, which no small scenario has
# Of ./tlblab check; --all takes all that are sound.
SLICE = [
    ("x86_64", "small_switch", "ipi"), ("x86_64", "small_lazy", "ipi"), ("x86_64", "small_promotion", "ipi"),
    ("x86_64", "asid_switch", "ipi"), ("x86_64", "small_switch", "linux-6.18"), ("x86_64", "small_alone", "invlpgb"),
    ("arm64", "small_switch", "tlbi-is"), ("arm64", "small_lazy", "tlbi-is"), ("arm64", "asid_switch", "tlbi-local"),
    ("arm64", "small_alone", "tlbi-local"),
]
LIMIT = 900  # seconds for one


class Search:
    """One search. `closed`: nothing is left, and nothing was found."""

    def __init__(self, scenario, strategy, fills, *flags, arch="x86_64", preemptions=None, binary=None, cpus=0):
        self.arch, self.scenario, self.strategy, self.fills, self.preemptions = arch, scenario, strategy, fills, preemptions
        self.flags = [*flags, *([] if preemptions is None else ["--preemptions", preemptions])]
        words = ["--scenario", scenario, "--tlb", strategy, "--exhaustive", "--fills", fills, *self.flags, "--quiet"]
        words += ["--cpus", cpus] if cpus else []
        binary = binary or sim.BINARIES[arch]
        replay = binary.parent / f"exhaustive-{scenario}-{strategy}{''.join(map(str, flags))}.replay"
        self.status, self.text = sim.run(*words, "--write", replay, binary=binary, limit=LIMIT)
        found = re.search(r": (\d+) schedules, (\d+)/s, for (\S+) interleavings; (\d+) states", self.text)
        self.schedules, self.rate, self.interleavings, self.states = found.groups() if found else ("", "", "", "")
        self.seconds = (re.search(r", (\S+) s$", self.text, re.M) or [0, ""])[1]
        oracle = re.search(r"^violation (\S+) in ", self.text, re.M)
        self.oracle = oracle[1] if oracle else None
        self.outcomes = re.findall(r"^outcomes? .*", self.text, re.M)
        self.closed = self.status == errors.OK and ": closed, " in self.text

    @property
    def name(self):
        return " ".join(map(str, ["closed", self.arch, self.scenario, self.strategy, *self.flags]))

    @property
    def row(self):
        bound = "none" if self.preemptions is None else self.preemptions
        return (f"| {self.arch} | {self.scenario} | `{self.strategy}` | {self.fills} | {bound} | {self.schedules} | "
                f"{self.states} | {self.interleavings} | {self.seconds} |\n")


def bounds(arch, scenario, strategy):
    if arch == "arm64" and strategy.split("+")[0] not in BY_BROADCAST:
        return BY_INTERRUPT[scenario]
    return BOUNDS[arch][scenario]


def cells():
    """(arch, scenario, strategy): each scenario under each strategy that is meant to be right; flushers under presets only."""
    more = {"x86_64": combinations.INTERRUPTS + combinations.BROADCASTS + combinations.MORE + ["ipi+generation"],
            "arm64": combinations.ALONE + ["ipi+generation", "broadcast+generation+ttl+ceiling=1024"]}
    for arch, scenarios in BOUNDS.items():
        sound = sim.catalogue(sim.make(arch), FLAGS[arch])[1]
        for strategy in dict.fromkeys(sound + more[arch]):
            yield from (cell for scenario in scenarios if strategy in sound or scenario != "small_flushers"
                        if (cell := (arch, scenario, strategy)) not in TOO_MUCH)


def _search(cell):
    fills, preemptions = bounds(*cell)
    arch, scenario, strategy = cell
    return Search(scenario, strategy, fills, *FLAGS[arch], arch=arch, preemptions=preemptions)


def searches(chosen):
    """Of those cells, as many at a time as there are CPUs."""
    chosen = list(chosen)
    for arch in {cell[0] for cell in chosen}:
        sim.make(arch)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(_search, chosen)


# What can be searched without the reduction too.
UNREDUCED = [("x86_64", "ipi", 1), ("x86_64", "linux-6.18", 1), ("x86_64", "invlpgb", 1), ("arm64", "tlbi-is", 0),
             ("arm64", "tlbi-local", 0)]


def reductions():
    """(reduced, unreduced): the same outcomes are wanted."""
    for arch, strategy, fills in UNREDUCED:
        sim.make(arch)
        flags = [*FLAGS[arch], "--outcomes"]
        yield [Search("small_switch", strategy, fills, *flags, *more, arch=arch) for more in ([], ["--unreduced"])]


def power(entries):
    """(entry, its bug searched for in the small scenario of its kind), where there is one; each on its own ISA only."""
    for entry in entries:
        if entry.scenario in SMALL[entry.arch] and entry.name == entry.id and entry.id not in LARGER:
            entry.scenario, entry.cpus = SMALL[entry.arch][entry.scenario], 2
            flags = [word for word in entry.options if word != "--fills" and not word.isdigit()] + zoo.broken(entry)
            yield entry, Search(entry.scenario, entry.tlb, 2, *flags, arch=entry.arch, binary=zoo.build_copy(entry), cpus=2)


HEAD = """# Closed

Scenarios searched completely: every schedule, that is every order of the CPUs' steps, of stores that leave their buffers, of
interrupts, of broadcasts that take effect, with at most the given number of spontaneous fills, at commit {commit}. Written by
`tools/exhaustive.py`. How it is done and why what is left out does not matter: `sim/exhaust.c`, `sim/reduce.c`; what that does
not show: [model.md](model.md).

A state is all that the rest of a schedule depends on; interleavings are the paths through the states that are left after the
reduction. States are told apart by 64 bits of hash.

The number of preemptions (a CPU is left that could go on) is bounded where a figure is given; what happens without a CPU's step
(a store that leaves its buffer, a broadcast, a fill) is none. On arm64 each load may be late, so what interrupts is closed within
lower bounds there, and small_flushers under `invlpgb` and `linux-6.18` is not.

| ISA | scenario | strategy | fills | preemptions | schedules run | states | interleavings | seconds |
|---|---|---|---|---|---|---|---|---|
"""

MIDDLE = """
## With and without the reduction

The same outcomes (what each access of each CPU returned, and violations) are reached; schedules/s are those of one host CPU:

| ISA | scenario | strategy | fills | schedules | states | schedules/s | outcomes |
|---|---|---|---|---|---|---|---|
"""

POWER = """
## What it finds

Bugs of the zoo ([zoo.md](zoo.md)), each searched for in the small scenario of its kind, with at most 2 fills:

| id | scenario | oracle | states until then |
|---|---|---|---|
"""


def main():
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=build.TOP,
                            check=True).stdout.strip()
    text = HEAD.format(commit=commit)
    for c in searches(cells()):
        if not c.closed:
            raise SystemExit(f"{c.name}\n{c.text}")
        print(c.row, end="", flush=True)
        text += c.row
    text += MIDDLE
    for pair in reductions():
        for c, how in zip(pair, ("reduced", "unreduced")):
            outcomes = "; ".join(c.outcomes)
            row = f"| {c.arch} | {c.scenario}, {how} | `{c.strategy}` | {c.fills} | "
            row += f"{c.schedules} | {c.states} | {c.rate} | {outcomes} |\n"
            print(row, end="", flush=True)
            text += row
        if pair[0].outcomes != pair[1].outcomes or not pair[0].outcomes:
            raise SystemExit("the reduction changes what is found")
    text += POWER
    for entry, c in power(zoo.entries()):
        after = re.search(r"^exhaustive, after (\d+) states", c.text, re.M)
        print(entry.id, c.oracle, after and after[1], flush=True)
        if not c.oracle:
            raise SystemExit(f"{entry.id} is not found\n{c.text}")
        text += f"| {entry.id} | {entry.scenario} | {c.oracle} | {after[1]} |\n"
    PATH.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
