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
import sys

import build
import combinations
import errors
import sim
import zoo

PATH = build.TOP / "docs" / "exhaustive.md"
SCENARIOS = {  # name: fills
    "small_switch": 2,
    "small_lazy": 2,
    "small_promotion": 1,
    "asid_switch": 1,
}
# Bugs of the zoo whose scenario is too large are searched for in the small one of the same kind.
SMALL = {"switch_unmap": "small_switch", "lazy_tables": "small_lazy", "asid_move": "small_promotion", "asid_switch": "asid_switch"}
SLICE = ("ipi", "linux-6.18", "invlpgb")  # of ./tlblab check; --all takes all that are sound
LIMIT = 900  # seconds for one


class Search:
    """One search. `closed`: nothing is left, and nothing was found."""

    def __init__(self, scenario, strategy, fills, *flags, binary=None, cpus=0):
        self.scenario, self.strategy, self.fills, self.flags = scenario, strategy, fills, flags
        words = ["--scenario", scenario, "--tlb", strategy, "--exhaustive", "--fills", fills, *flags, "--quiet"]
        words += ["--cpus", cpus] if cpus else []
        binary = binary or sim.BINARY
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
        return " ".join(map(str, ["closed", self.scenario, self.strategy, *self.flags]))


def strategies(binary):
    _, sound = sim.catalogue(binary, ["--pcid"])
    return list(dict.fromkeys(sound + combinations.INTERRUPTS + combinations.BROADCASTS + combinations.MORE + ["ipi+generation"]))


def searches(chosen, scenarios=SCENARIOS):
    """Of each scenario under each strategy, as many at a time as there are CPUs."""
    sim.make()
    todo = [(scenario, strategy) for scenario in scenarios for strategy in chosen]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda one: Search(*one, SCENARIOS[one[0]], "--pcid"), todo)


def reductions():
    """(reduced, unreduced) of what can be searched without the reduction too: the same outcomes are wanted."""
    for strategy in SLICE:
        yield [Search("small_switch", strategy, 1, "--pcid", "--outcomes", *more) for more in ([], ["--unreduced"])]


def power(entries):
    """(entry, its bug searched for in the small scenario of its kind), where there is one."""
    for entry in entries:
        if entry.scenario in SMALL and entry.arch == "x86_64":
            entry.scenario, entry.cpus = SMALL[entry.scenario], 2
            flags = [word for word in entry.options if word != "--fills" and not word.isdigit()] + zoo.broken(entry)
            yield entry, Search(entry.scenario, entry.tlb, 2, *flags, binary=zoo.build_copy(entry), cpus=2)


HEAD = """# Closed

Scenarios searched completely: every schedule, that is every order of the CPUs' steps, of stores that leave their buffers, of
interrupts, of broadcasts that take effect, with at most the given number of spontaneous fills, at commit {commit}. Written by
`tools/exhaustive.py`. How it is done and why what is left out does not matter: `sim/exhaust.c`, `sim/reduce.c`; what that does
not show: [model.md](model.md).

A state is all that the rest of a schedule depends on; interleavings are the paths through the states that are left after the
reduction. States are told apart by 64 bits of hash.

| scenario | strategy | fills | schedules run | states | interleavings | seconds |
|---|---|---|---|---|---|---|
"""

MIDDLE = """
## With and without the reduction

The same outcomes (what each access of each CPU returned, and violations) are reached:

| scenario | strategy | fills | states | schedules/s | outcomes |
|---|---|---|---|---|---|
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
    sim.make()
    for c in searches(sys.argv[1:] or strategies(sim.BINARY)):
        if not c.closed:
            raise SystemExit(f"{c.name}\n{c.text}")
        c.text = c.text.splitlines()[-1] + "\n"
        print(c.text, end="", flush=True)
        text += f"| {c.scenario} | `{c.strategy}` | {c.fills} | {c.schedules} | {c.states} | {c.interleavings} | {c.seconds} |\n"
    c = Search("small_flushers", "ipi", 0)
    if not c.closed:
        raise SystemExit(f"{c.name}\n{c.text}")
    text += f"| {c.scenario}, no tags | `{c.strategy}` | 0 | {c.schedules} | {c.states} | {c.interleavings} | {c.seconds} |\n"
    text += MIDDLE
    for pair in reductions():
        for c, how in zip(pair, ("reduced", "unreduced")):
            print(c.text, end="", flush=True)
            outcomes = "; ".join(c.outcomes)
            text += f"| {c.scenario}, {how} | `{c.strategy}` | {c.fills} | {c.states} | {c.rate} | {outcomes} |\n"
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
