# SPDX-License-Identifier: BSD-2-Clause
"""The product as a user has it."""

import subprocess
import sys

import build
import docs
import qemu
import records
import results
import trial
from check import step


@step("quick")
def same_bytes(report):
    """with instructions as the clock, two runs give the same bytes"""
    options = ["tests=all", "rounds=1", "bench=all", "repeat=3"]
    machine = qemu.Machine(build.build(quiet=True), "direct", options, smp=2, icount=True)
    runs = [trial.Trial(report, f"run {n}", machine) for n in (1, 2)]
    for one in runs:
        # Not the verdict ok: where one CPU runs at a time, some races that a sabotage needs don't happen.
        if not report.expect("the run is whole", not one.wrong and one.log.verdict != "error", one.tail()):
            return
    first, second = (one.path.read_bytes() for one in runs)
    report.expect("the same bytes", first == second, trial.difference(first, second))


@step("quick")
def docs_options(report):
    """docs/options.md is what the kernel's help prints"""
    wanted = docs.options()
    have = docs.PATH.read_text(encoding="utf-8") if docs.PATH.exists() else ""
    advice = "\ntools/docs.py writes it anew"
    report.expect("docs/options.md", have == wanted, trial.difference(have.encode(), wanted.encode()) + advice)


@step("quick")
def instructions(report):
    """benchmark insn: each instruction that is declared is measured on each number of CPUs, or named with what it needs"""
    machine = qemu.Machine(build.build(quiet=True), "direct", ["bench=insn", "repeat=3"], smp=4)
    absent = trial.instructions(report, "insn", machine, "x86")
    wrong = {op: why for op, why in absent.items() if not op.startswith(("invpcid", "invlpgb", "tlbsync", "cr3-keep", "icr-"))}
    mode = {"icr-xapic", "icr-x2apic"} - set(absent)
    report.expect("absent", not wrong and absent.get("cr3-keep") == "pcid in use" and len(mode) == 1, f"{absent}")


@step("normal")
def run_command(report):
    """./tlblab run, as in the README: every strategy on every benchmark, one table"""
    directory = report.path("results")
    command = [sys.executable, str(build.TOP / "tools" / "main.py"), "run", "--output", str(directory)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    if not report.expect("exit status", done.returncode == 0, done.stdout):
        return
    log = records.judge(records.scan((directory / "serial.log").read_bytes()))
    report.expect("records", results.status(log) == 0 and log.of_type("result"), "\n".join(log.problems))
    strategies = {r.get("strategy") for r in log.of_type("result")}
    shown = all(s in done.stdout for s in strategies)
    report.expect("every strategy in the table", {"none", "ipi", "lazy"} <= strategies and shown, done.stdout)
    for name in ("records.jsonl", "table.csv"):
        lines = (directory / name).read_text().count("\n")
        wanted = len(log.records) if name == "records.jsonl" else len(log.of_type("result")) + 1
        report.expect(name, lines == wanted, f"{lines} lines, expected {wanted}")
