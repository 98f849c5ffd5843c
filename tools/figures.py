#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""
docs/figures.md: the figures that this machine gives, with the commit they were taken at. As a program it takes them and writes
the file; nothing in it is asserted anywhere. Meant for a machine that does nothing else meanwhile. With the word `instructions`
only those are taken anew, with `starts` those.
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import build
import emulator
import qemu
import records
import runs

PATH = build.TOP / "docs" / "figures.md"
STARTS = 5

HEAD = """# Figures

Taken by `tools/figures.py` at commit {commit}: {qemu}, {compiler}, {cpus} host CPUs. An emulator's times are not hardware
costs; counts and instructions are figures. Nothing here is asserted by a test.
"""


WHAT = """Smallest of 20; two clock reads, the row `clock`, are part of each. `lazy` is the initiator while the target is
lazy; `bare` the interrupt of the yardstick: EOI and one store; `switch` a switch to an mm that ran one switch ago. `none` is
all of the initiator but the remote flush.
"""

BEYOND = """
Beyond the bare sequence, `ipi`: initiator {initiator} (goal 150), responder {responder} (goal 80). Neither goal is met. Of the
initiator's, about a quarter is its own flush by the receiver's rules, a fifth the walks over CPU masks (holders, issue, wait), a
tenth freeing the page; the rest is the request, eight hooks and counters. Of the responder's, half is the decision by
generations and its counters."""


BROADCAST = """
With tags (`invlpgb=emulate` and, as QEMU has no PCID, software tags): `switch` finds the mm's slot under `ipi`, none under
`ipi+slots=1`, the mm's global ASID under `invlpgb`. `initiator` of `invlpgb` is the bookkeeping of a broadcast: without what the
emulated instructions take.
"""


ARM64 = """
arm64 (`--arch arm64`). Beyond the bare TLBI and DSB a flush by `tlbi-is` is {broadcast} for the initiator (goal 60, not met); a
switch that finds its ASID {fast}; by `ipi` the initiator is {initiator}, the responder {responder} beyond the bare interrupt.
"""

BEGIN = "## Start of QEMU to first record and first result"
INSTRUCTIONS = "## Instructions (`-icount shift=0`), one page, one target"
BARE_BROADCAST = 2  # TLBI, DSB


def _commit():
    return _output("git", "rev-parse", "--short", "HEAD")


def _output(*command):
    return subprocess.run(command, capture_output=True, text=True, cwd=build.TOP, check=True).stdout.splitlines()[0].strip()


def _run(machine):
    """(log, seconds to the first record, seconds to the first result)."""
    start, marks, seen = time.monotonic(), [None, None], bytearray()

    def on_bytes(data):
        seen.extend(data)
        for i, what in enumerate((b"@tlblab 0 ", b'{"type":"result"')):
            if marks[i] is None and what in seen:
                marks[i] = time.monotonic() - start

    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "serial.log"
        emulator.run(machine, path, limit=240, on_bytes=on_bytes)
        return runs.judge(records.scan(path.read_bytes())), *marks


def _starts():
    options = ["bench=ipi", "tests=none", "cpus=2"]
    iso = build.iso(options, build.BUILD / "figures.iso", quiet=True)
    image, esp = build.build_arm64(quiet=True), build.esp(options, build.BUILD / "figures.esp", quiet=True)
    kinds = {
        "`-kernel`": lambda: qemu.Machine(build.build(quiet=True), "direct", options, smp=2),
        "ISO, SeaBIOS": lambda: qemu.Machine(iso, "bios", smp=2),
        "ISO, OVMF": lambda: qemu.Machine(iso, "uefi", smp=2),
        "arm64, `-kernel`": lambda: qemu.Arm64(image, options, smp=2),
        "arm64, ESP, AAVMF": lambda: qemu.Arm64(esp, smp=2, firmware="uefi", medium="esp"),
    }
    times = {name: [] for name in kinds}
    for _ in range(STARTS):  # in turn: what else the host does meets all alike
        for name, machine in kinds.items():
            times[name].append(_run(machine())[1:])
    first = statistics.median(result for _, result in times["`-kernel`"])
    lines = [f"\n{BEGIN}, seconds ({STARTS} starts in turn, 2 CPUs), at commit {_commit()}\n"]
    load = f"{os.getloadavg()[0]:.1f}, of {os.cpu_count()} CPUs"
    lines += [f"Load of the host at the end: {load}. Where it is higher than these are many, only ratios count.\n"]
    lines += ["| path | first record: min, median, max | first result: min, median, max | its median, `-kernel` = 1 |"]
    lines += ["|---|---|---|---|"]
    for name, pairs in times.items():
        cells = [f"{min(t):.2f}, {statistics.median(t):.2f}, {max(t):.2f}" for t in zip(*pairs)]
        lines.append(f"| {name} | {cells[0]} | {cells[1]} | {statistics.median(t for _, t in pairs) / first:.1f} |")
    return lines


def _x86(options):
    return qemu.Machine(build.build(quiet=True), "direct", options, smp=2, icount=True)


def _arm64(options):
    return qemu.Arm64(build.build_arm64(quiet=True), options, smp=2, icount=True)


def _path(strategies, parts, *options, machine=_x86):
    """({part: {strategy: result}}, lines of a table) of benchmark path."""
    words = ["bench=path", "tests=none", "cpus=2", "tlb=" + ",".join(strategies), "repeat=20", *options]
    log = _run(machine(words))[0]
    rows = {}
    for result in log.of_type("result"):
        rows.setdefault(result["params"].removeprefix("part="), {})[result["strategy"]] = result
    lines = ["| part | " + " | ".join(strategies) + " |", "|---" * (len(strategies) + 1) + "|"]
    lines += [f"| {part} | " + " | ".join(str(rows[part][s]["min"]) for s in strategies) + " |" for part in parts or rows]
    return rows, lines


def _instructions():
    rows, table = _path(["ipi", "ipi+overlap", "ipi+early-ack", "lazy", "linux-6.1", "linux-6.18", "none"], None)
    lines = [f"\n{INSTRUCTIONS}, at commit {_commit()}\n", WHAT, *table]
    clock, bare = rows["clock"]["ipi"]["min"], rows["bare"]["ipi"]["min"]
    initiator, responder = rows["initiator"]["ipi"]["min"] - clock, rows["responder"]["ipi"]["min"] - bare
    lines += [BEYOND.format(initiator=initiator, responder=responder), BROADCAST]
    lines += _path(["ipi", "ipi+slots=1", "invlpgb"], ["initiator", "switch"], "invlpgb=emulate")[1]
    rows, table = _path(["ipi", "lazy", "tlbi-is", "none"], None, machine=_arm64)
    least = {part: {s: r["min"] for s, r in row.items()} for part, row in rows.items()}
    clock = least["clock"]["ipi"]
    return lines + [ARM64.format(broadcast=least["initiator"]["tlbi-is"] - clock - BARE_BROADCAST,
                                 fast=least["switch"]["tlbi-is"] - clock, initiator=least["initiator"]["ipi"] - clock,
                                 responder=least["responder"]["ipi"] - least["bare"]["ipi"]), *table]


def _ratio():
    options = ["bench=latency", "tests=none", "cpus=2", "pages=1,33,512", "repeat=400"]
    log = _run(qemu.Machine(build.build(quiet=True), "direct", options, smp=2))[0]
    lines = ["\n## Shootdown over raw interrupt round trip, p50, of the same run (MTTCG, 2 vCPUs)\n"]
    lines += ["| pages | strategy | shootdown ns | raw round trip ns | ratio |", "|---|---|---|---|---|"]
    for r in log.of_type("result"):
        raw = r["ipi_p50"] * 1000 // max(r["ticks_per_us"], 1)
        lines.append(f"| {r['pages']} | {r['strategy']} | {r['p50_ns']} | {raw} | {r['p50_ns'] / max(raw, 1):.2f} |")
    return lines


def main(arguments):
    parts = {"instructions": (INSTRUCTIONS, _instructions), "starts": (BEGIN, _starts)}
    for part in arguments:  # these alone; instructions don't mind what else the machine does
        begin, take = parts[part]
        before, after = re.split(f"\n{re.escape(begin)}.*?(?=\n## )", PATH.read_text(encoding="utf-8"), flags=re.S)
        PATH.write_text(before + "\n".join(take()) + "\n" + after, encoding="utf-8")
    if arguments:
        return
    head = HEAD.format(
        commit=_commit(),
        qemu=re.sub(r" \(.*", "", _output("qemu-system-x86_64", "--version")).replace("emulator version ", ""),
        compiler=_output("gcc", "--version"),
        cpus=os.cpu_count(),
    )
    PATH.write_text(head + "\n".join(_starts() + _instructions() + _ratio()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
