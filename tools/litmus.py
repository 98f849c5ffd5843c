# SPDX-License-Identifier: BSD-2-Clause
"""
Litmus shapes in the simulator, and the table of them in docs/litmus.md: what the shapes themselves say (`tlblab-sim --list`), and
what was seen. As a program it writes the table anew.
"""

import re

import build
import errors
import sim

PATH = build.TOP / "docs" / "litmus.md"
BEGIN, END = "<!-- table: tools/litmus.py -->\n", "<!-- end of the table -->\n"
SCHEDULES = 2000
ISAS = ("x86_64", "arm64")


class Outcome:
    """One outcome of a shape on one ISA."""

    def __init__(self, line):
        name, threads, self.help, self.name, *fields = line.split("\t")
        self.verdict, self.why, self.not_modelled, self.registers, *self.threads = fields
        self.shape, self.count = name.removeprefix("litmus:"), int(threads)
        self.seen = self.all = False

    @property
    def text(self):
        if self.not_modelled:
            return f"{self.verdict} ({self.why}), not modelled"
        never = "never, of all schedules" if self.all else "never"
        return f"{self.verdict} ({self.why}), {'seen' if self.seen else never}"


def outcomes(binary):
    """In the order of the registry."""
    found = [Outcome(line) for line in sim.run("--list", binary=binary)[1].splitlines() if line.startswith("litmus:")]
    if not found:
        raise errors.Error("the simulator lists no litmus shapes")
    return found


def cell(shape, cpus, flags=()):
    return sim.Cell(sim.Scenario(f"litmus:{shape}", cpus), "ipi", cpus, flags)


def explore(arch, schedules=SCHEDULES):
    """
    Each shape of an ISA: (its outcomes, exit status, what the simulator printed). What forbids something under every schedule,
    others under so many.
    """
    binary = sim.make(arch)
    of_shape = {}
    for one in outcomes(binary):
        of_shape.setdefault(one.shape, []).append(one)
    closed = {shape: any(one.verdict == "forbidden" for one in found) for shape, found in of_shape.items()}
    todo = [cell(shape, found[0].count, ["--exhaustive"] if closed[shape] else []) for shape, found in of_shape.items()]
    for (_, status, text), found in zip(sim.explore(todo, (schedules, 0), 1, binary), of_shape.values()):
        for one in found:
            count = re.search(rf"^litmus {re.escape(one.shape)} {re.escape(one.name)}: (\d+) of", text, re.M)
            one.seen = bool(count and int(count[1]))
            one.all = closed[one.shape]
        yield found, status, text


def table(results):
    """`results`: outcomes by architecture, explored."""
    rows = {}
    for arch, found in results.items():
        for one in found:
            rows.setdefault((one.shape, one.name), {})[arch] = one
    out = ["| shape | threads | outcome | x86 | arm64 |", "|---|---|---|---|---|"]
    before = None
    for (shape, name), by in sorted(rows.items(), key=lambda row: row[0][0].lower()):
        one = next(iter(by.values()))
        threads = "<br>".join(f"P{n}: {text}" for n, text in enumerate(one.threads))
        cells = [f"`{shape}`: {one.help}", threads] if shape != before else ["", ""]
        cells += [f"{name}: {one.registers}"] + [by[arch].text if arch in by else "" for arch in ISAS]
        out.append(f"| {' | '.join(cells)} |")
        before = shape
    return "\n".join(out) + "\n"


def documented():
    """(what comes before, the table, what comes after) in docs/litmus.md."""
    before, rest = PATH.read_text(encoding="utf-8").split(BEGIN)
    inside, after = rest.split(END)
    return before + BEGIN, inside, END + after


if __name__ == "__main__":
    both = {isa: [one for found, _, _ in explore(isa) for one in found] for isa in ISAS}
    head, _, tail = documented()
    PATH.write_text(head + table(both) + tail, encoding="utf-8")
