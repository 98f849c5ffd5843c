# SPDX-License-Identifier: BSD-2-Clause
"""The product as a user has it."""

import concurrent.futures
import os
import subprocess
import sys

import build
import docs
import qemu
import records
import results
import runs
import schema
import trial
from check import step


def _same_bytes(report, machine):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda n: trial.Trial(report, f"run {n}", machine), (1, 2)))
    for one in both:
        # Not the verdict ok: where one CPU runs at a time, some races that a sabotage needs don't happen.
        if not report.expect("the run is whole", not one.wrong and one.log.verdict != "error", one.tail()):
            return
    first, second = (one.path.read_bytes() for one in both)
    report.expect("the same bytes", first == second, trial.difference(first, second))


@step("quick")
def same_bytes(report):
    """with instructions as the clock, two runs give the same bytes"""
    options = ["tests=all", "rounds=1", "bench=all", "repeat=3"]
    _same_bytes(report, qemu.Machine(build.build(quiet=True), "direct", options, smp=2, icount=True))


@step("normal")
def arm64_same_bytes(report):
    """the same on arm64: benchmarks, and the tests whose sabotages don't wait on purpose"""
    options = ["tests=range_unmap,range_protect,kernel_unmap,lazy_zap", "rounds=1", "bench=all", "repeat=3", "tlb=ipi,lazy,tlbi-is"]
    _same_bytes(report, qemu.Arm64(build.build_arm64(quiet=True), options, smp=2, icount=True))


@step("quick")
def docs_options(report):
    """docs/options.md is what the kernel's help prints"""
    wanted = docs.options()
    have = docs.PATH.read_text(encoding="utf-8") if docs.PATH.exists() else ""
    advice = "\ntools/docs.py writes it anew"
    report.expect("docs/options.md", have == wanted, trial.difference(have.encode(), wanted.encode()) + advice)


@step("quick")
def docs_records(report):
    """docs/records.md is what tools/schema.py says"""
    have = docs.RECORDS.read_text(encoding="utf-8") if docs.RECORDS.exists() else ""
    wanted = schema.markdown()
    report.expect("docs/records.md", have == wanted, trial.difference(have.encode(), wanted.encode()) + "\ntools/docs.py writes it")


@step("quick")
def instructions(report):
    """benchmark insn: each instruction that is declared is measured on each number of CPUs, or named with what it needs"""
    machine = qemu.Machine(build.build(quiet=True), "direct", ["bench=insn", "repeat=3"], smp=4)
    absent = trial.instructions(report, "insn", machine, "x86")
    wrong = {op: why for op, why in absent.items() if not op.startswith(("invpcid", "invlpgb", "tlbsync", "cr3-keep", "icr-"))}
    mode = {"icr-xapic", "icr-x2apic"} - set(absent)
    report.expect("absent", not wrong and absent.get("cr3-keep") == "pcid in use" and len(mode) == 1, f"{absent}")


KINDS = ("halt", "spin", "mem", "flush")


def _others_of(report, name, results):
    """Of one benchmark, with 3 CPUs."""
    some, everyone = [[r for r in results if r.get("cpus") == n] for n in (1, 3)]
    cells = {(r.get("params"), r.get("others")) for r in some}
    plain = {params for params, kind in cells if kind == "halt"}
    wanted = {(f"{p} others={k}".strip() if k != "halt" else p, k) for p in plain for k in KINDS}
    report.expect(f"{name}: a cell for each", plain and cells == wanted, f"{cells ^ wanted}")
    for kind in KINDS:
        done = [(r.get("others_cpus"), r.get("others_done")) for r in some if r.get("others") == kind]
        good = all(n == 2 and (d == 2 if kind == "halt" else d >= 2) for n, d in done)
        report.expect(f"{name}: {kind}", done and good, f"{done}")
    nobody = {(r.get("others"), r.get("others_cpus"), r.get("others_done")) for r in everyone}
    report.expect(f"{name}: no others", nobody == {("halt", 0, 0)}, f"{nobody}")


@step("normal")
def others(report):
    """CPUs that take no part do what the record says, by what they have done; their flushes are not the benchmark's"""
    options = ["bench=latency,insn", "pages=1", "repeat=1", "cpus=1,3", "tlb=ipi", "others=" + ",".join(KINDS)]
    x86, arm64 = build.build(quiet=True), build.build_arm64(quiet=True)
    for name, machine in (("x86-64", qemu.Machine(x86, "direct", options, smp=3)), ("arm64", qemu.Arm64(arm64, options, smp=3))):
        one = trial.trial(report, name, machine)
        for bench in ("latency", "insn") if one else ():
            _others_of(report, f"{name}, {bench}", [r for r in one.log.of_type("result") if r.get("bench") == bench])
    options = ["bench=latency", "pages=4096", "repeat=20", "cpus=1", "tlb=ipi", "others=flush"]
    one = trial.trial(report, "flush", qemu.Machine(x86, "direct", options, smp=2))
    counts = [(r.get("shootdowns")[0], r.get("ops")) for r in one.log.of_type("result")] if one else []
    report.expect("flushes that count", counts and all(a == b for a, b in counts), f"{counts}")


@step("normal")
def run_command(report):
    """./tlblab run, as in the README: every strategy on every benchmark, one table"""
    directory = report.path("results")
    command = [sys.executable, str(build.TOP / "tools" / "main.py"), "run", "--output", str(directory)]
    strict = {**os.environ, "WERROR": "1"}  # as in build.STRICT: nothing has to be built again
    done = subprocess.run(
        command, env=strict, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
    )
    if not report.expect("exit status", done.returncode == 0, done.stdout):
        return
    log = runs.judge(records.scan((directory / "serial.log").read_bytes()))
    report.expect("schema", not schema.problems(log), "\n".join(schema.problems(log)))
    report.expect("records", results.status(log) == 0 and log.of_type("result"), "\n".join(log.problems))
    strategies = {r.get("strategy") for r in log.of_type("result")}
    shown = all(s in done.stdout for s in strategies)
    report.expect("every strategy in the table", {"none", "ipi", "lazy"} <= strategies and shown, done.stdout)
    for name in ("records.jsonl", "table.csv"):
        lines = (directory / name).read_text().count("\n")
        wanted = len(log.records) if name == "records.jsonl" else len(log.of_type("result")) + 1
        report.expect(name, lines == wanted, f"{lines} lines, expected {wanted}")
