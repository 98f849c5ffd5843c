# SPDX-License-Identifier: BSD-2-Clause
"""One boot of the kernel for a step of check: what it is expected to say, and where its serial log is."""

import re

import build
import emulator
import records
import results
import runs
import schema

SILENCE = 40  # seconds; firmware included
LIMIT = 240  # seconds for one boot, whatever it prints


class Trial:
    """`status`: the exit status that the records ask for. `lines`: all that was printed beside the records."""

    def __init__(self, report, name, machine, limit=LIMIT, silence=SILENCE):
        self.path = report.path(name + ".log")
        self.outcome = emulator.run(machine, self.path, lambda: silence, limit)
        items = records.scan(self.path.read_bytes())
        self.log = runs.judge(items)
        self.lines = [line.strip() for line in items if isinstance(line, str)]
        self.status = results.status(self.log)

    @property
    def wrong(self):
        """Why the run as such is no good, whatever its verdict: one line each."""
        out = list(self.log.problems) + schema.problems(self.log)
        if self.outcome.ended:
            out.append(f"ended from outside after {self.outcome.seconds:.0f} s: {self.outcome.ended}")
        elif not self.outcome.fits(self.log.verdict):
            out.append(f"exit status {self.outcome.status}, but the verdict {self.log.verdict}")
        return out

    def tail(self):
        """What to look at when it is not as expected."""
        message = self.outcome.left.message if self.outcome.left else ""
        return "\n".join(self.lines[-12:] + self.wrong + [r.text for r in self.log.of_type("error")] + [message])


def trial(report, name, machine, verdict="ok"):
    """Boots; passed if the run is whole and ends with that verdict. Returns the Trial, or None if it failed."""
    one = Trial(report, name, machine)
    if one.wrong or one.log.verdict != verdict:
        report.fail(name, one.tail(), log=one.path)
        return None
    return one


COUNTED = {"ok": "ok", "caught": "ok", "not ok": "fail", "missed": "fail", "skip": "skip", "unproven": "skip"}


def _count(report, record):
    sabotage = record.type == "sabotage"
    name = f"{record.get('test')} sees {record.get('sabotage')}" if sabotage else f"{record.get('test')} {record.get('strategy')}"
    kind = COUNTED.get(record.get("result"), "fail")
    if kind == "ok":
        report.ok(name)
    elif kind == "fail":
        report.fail(name, record.text)
    else:
        report.skip(name, "unproven here" if sabotage else record.get("detail", ""))


def guest_tests(report, name, machine, limit=LIMIT):
    """Boots into the kernel's own tests; each result is counted, each sabotage too. Returns the Trial."""
    one = Trial(report, name, machine, limit)
    for record in one.log.of_type("test") + one.log.of_type("sabotage"):
        _count(report, record)
    report.expect("the run is whole", not one.wrong and one.log.of_type("test"), one.tail())
    report.expect("verdict", one.log.verdict == ("failed" if report.failed else "ok"), one.tail())
    return one


def instructions(report, name, machine, isa):
    """Boots into benchmark insn; each instruction that arch/<isa> declares is measured or absent. {absent: what it needs}."""
    one = trial(report, name, machine)
    if not one:
        return {}
    source = (build.TOP / "arch" / isa / "insn_ops.c").read_text(encoding="utf-8")
    declared = set(re.findall(r'\.name = "(.*?)"', source))
    absent = {r.get("op"): r.get("missing") for r in one.log.of_type("absent")}
    cpus = sorted({r.get("cpus") for r in one.log.of_type("result")})
    report.expect(f"{name}: numbers of CPUs", cpus == [1, 2, 4], f"{cpus}\n" + one.tail())
    for number in cpus:
        ran = {r.get("params").removeprefix("op=") for r in one.log.of_type("result") if r.get("cpus") == number}
        wrong = ran ^ (declared - set(absent))
        report.expect(f"{name}, {number} CPUs", not wrong, f"{wrong}\n" + one.tail())
    return absent


def difference(first, second):
    """Where two logs part."""
    for number, (a, b) in enumerate(zip(first.split(b"\n"), second.split(b"\n")), 1):
        if a != b:
            return f"line {number}:\n{a.decode(errors='replace')}\n{b.decode(errors='replace')}"
    return f"{len(first)} and {len(second)} bytes"
