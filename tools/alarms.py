#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""
False alarms: the oracles must be silent about what is right, so each strategy that is meant to be right goes through a million
schedules, spread over all scenarios, with tags. As a program it writes docs/alarms.md, with the commit; `./tlblab check --all` does
the same and fails if an oracle speaks.

How many are enough? The zoo says how many schedules its bugs need (docs/zoo.md, medians of its seeds). In each scenario, under each
strategy, there are at least POWER times as many as the hardest of the bugs needs that it is there for, and the table says so.
"""

import concurrent.futures
import math
import os
import re
import subprocess
import time

import build
import combinations
import errors
import sim
import zoo

PATH = build.TOP / "docs" / "alarms.md"
SCHEDULES = 10**6  # of each strategy
POWER = 100
TRIAL = 100  # schedules that show how long those of a scenario are
SEED = 11

HEAD = """# No alarm

Schedules in which no oracle spoke, at commit {commit}: each strategy that is meant to be right, {total} schedules over all
{scenarios} scenarios of `tests/sim/`, with as few CPUs as each takes, `--pcid`, half of the schedules random and half PCT.
A scenario's share goes by 1/√steps, so long ones get fewer; but at least {power} times as many as the hardest of the zoo's bugs
in it needs (below), on top of the {total} where it must. Written by `tools/alarms.py` ({cpus} host CPUs); a step of
`./tlblab check --all` runs the same. What such a run does not show is in [model.md](model.md).

| strategy | schedules | steps | seconds |
|---|---|---|---|
"""


HARDEST = """
## What they would have found

In each scenario the bug of the zoo ([zoo.md](zoo.md)) that needs most schedules there (median of {seeds} seeds), and in how many
the strategy with fewest of the above was clean. A scenario that no bug of the zoo on x86_64 needs is left out.

| scenario | hardest bug | schedules it needs | clean, at least | times |
|---|---|---|---|---|
"""


def hardest(entries=None, medians=None):
    """{scenario: (schedules, name of the bug)}: of the zoo on x86_64, what is hardest to find there."""
    medians, found = zoo.written() if medians is None else medians, {}
    for entry in zoo.entries() if entries is None else entries:
        if entry.arch == "x86_64" and entry.name in medians:
            found[entry.scenario] = max(found.get(entry.scenario, (0, "")), (medians[entry.name], entry.name))
    return found


def strategies(binary):
    """Presets, and what no preset has."""
    _, sound = sim.catalogue(binary, ["--pcid"])
    return list(dict.fromkeys(sound + combinations.INTERRUPTS + combinations.BROADCASTS + combinations.MORE))


def steps_of(text):
    """Of each schedule, by what the simulator printed; None: it ended early."""
    found = re.search(r", (\S+) steps each", text)
    return float(found[1]) if found else None


class Row:
    """
    One strategy. `alarms`: (name, what the simulator printed) of each scenario that did not end well; `clean`: schedules of each
    that did.
    """

    def __init__(self, strategy, schedules, binary, pool):
        start = time.monotonic()
        self.strategy, self.schedules, self.steps, self.alarms, self.clean = strategy, 0, 0, [], {}
        cells = [cell for cell in sim.cells(binary, strategy, flags=["--pcid"]) if not cell.scenario.is_test]
        # So few may prove nothing, and need not.
        trial = pool.map(lambda cell: steps_of(cell.run((TRIAL, 0), SEED, binary)[2]), cells)
        weights = [1 / math.sqrt(steps or 1) for steps in trial]
        shares = [int(schedules * w / sum(weights)) for w in weights]
        shares[0] += schedules - sum(shares)
        least = {name: POWER * needed * schedules // SCHEDULES for name, (needed, _) in hardest().items()}
        shares = [max(share, least.get(cell.scenario.name, 0)) for share, cell in zip(shares, cells)]
        for share, (cell, status, text) in zip(shares, pool.map(lambda cell, n: cell.run((n, 0), SEED, binary), cells, shares)):
            if status != errors.OK:
                self.alarms.append((cell.name, text))
                continue
            self.schedules += share
            self.clean[cell.scenario.name] = share
            self.steps += round(share * steps_of(text))
        self.seconds = time.monotonic() - start

    @property
    def text(self):
        return f"{self.strategy:42} {self.schedules:8} schedules {self.steps:11} steps {self.seconds:6.0f} s"


def rows(schedules=SCHEDULES):
    binary = sim.make()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for strategy in strategies(binary):
            yield Row(strategy, schedules, binary, pool)


def power(found):
    """[(scenario, name of its hardest bug, schedules that needs, schedules in which the least tried strategy was clean)]."""
    wanted = sorted((name, *worst) for name, worst in hardest().items() if not name.startswith("test:"))
    return [(name, bug, needed, min(row.clean.get(name, 0) for row in found)) for name, needed, bug in wanted]


def main():
    done, lines = [], []
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=build.TOP,
                            check=True).stdout.strip()
    for row in rows():
        print(row.text, flush=True)
        if row.alarms:
            raise SystemExit("\n".join(f"{name}\n{text}" for name, text in row.alarms))
        done.append(row)
        lines.append(f"| `{row.strategy}` | {row.schedules} | {row.steps} | {row.seconds:.0f} |\n")
    scenarios = len([s for s in sim.catalogue()[0] if not s.is_test])
    table = [f"| {name} | {bug} | {needed} | {clean} | {clean // needed} |\n" for name, bug, needed, clean in power(done)]
    PATH.write_text(HEAD.format(commit=commit, total=SCHEDULES, scenarios=scenarios, cpus=os.cpu_count(), power=POWER) +
                    "".join(lines) + HARDEST.format(seeds=zoo.SEEDS) + "".join(table), encoding="utf-8")


if __name__ == "__main__":
    main()
