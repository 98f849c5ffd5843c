# SPDX-License-Identifier: BSD-2-Clause
"""`./tlblab run`: build, boot in an emulator, keep everything, print the table."""

import os
import sys

import bochs
import emulator
import errors
import ktap
import qemu
import records
import results
import runs
from progress import Progress


AFTER_END = 5  # seconds of silence after the end record: the kernel halted, as end=halt asks for


class Watcher:
    """Decodes the serial bytes while they come, for the live line."""

    def __init__(self, timeout=emulator.SILENCE):
        self.scanner, self.items, self.progress = records.Scanner(), [], Progress()
        self.timeout, self.ended = timeout, False

    def bytes(self, data):
        for item in self.scanner.feed(data):
            self.items.append(item)
            self.progress.saw(item)
            if isinstance(item, records.Record) and item.type == "end":
                self.ended = True

    def silence(self):
        """How long a silence may last now."""
        return min(AFTER_END, self.timeout) if self.ended else self.timeout

    def prose(self):
        """What the kernel printed for people, from its first record on: firmware and GRUB came before."""
        first = next((n for n, item in enumerate(self.items) if isinstance(item, records.Record)), len(self.items))
        return [item for item in self.items[first:] if isinstance(item, str)]

    def log(self):
        self.progress.done()
        return runs.judge(self.items + self.scanner.end())


def judge(outcome, log, timeout):
    """(exit status, lines that say why it is not that of the records alone)."""
    name, left = outcome.name, outcome.left
    status, lines = results.status(log), left.message.splitlines() if left else []
    if outcome.ended == "silence" and log.verdict:
        lines = [f"{name} was ended: the kernel halted after its end record"]
    elif outcome.ended == "silence":
        status, lines = errors.INCOMPLETE, [f"{name} was ended: no output for {timeout} s"]
    elif outcome.ended == "interrupt":
        status, lines = errors.INCOMPLETE, ["interrupted; what came until then is kept"]
    elif not left.good or not (left.verdict or log.verdict):
        status, lines = errors.ERROR, [f"{name} ended with status {outcome.status}"] + lines
    elif log.verdict and not outcome.fits(log.verdict):
        status, lines = errors.ERROR, [f"{name}'s exit status says {left.verdict}, but the end record {log.verdict}"] + lines
    return status, lines


def run(arguments):
    machine = {"qemu": qemu, "bochs": bochs}[arguments.emulator].prepare(arguments)
    path = results.directory(arguments.output)
    watcher = Watcher(arguments.timeout)
    outcome = emulator.run(machine, path / "serial.log", watcher.silence, None, watcher.bytes, watcher.progress.tick)
    log = watcher.log()
    results.write(log, path)
    status, lines = judge(outcome, log, arguments.timeout)
    if "help" in arguments.kernel:
        print("\n".join(watcher.prose()))
    elif arguments.ktap:
        print("\n".join(ktap.lines(log, status)))
        results.show_problems(log)
    elif log.records or not lines:  # else the emulator itself failed, and says why
        results.show(log, ticks=arguments.icount)
    for line in lines:
        print(f"tlblab: {line}", file=sys.stderr)
    print(f"{outcome.seconds:.1f} s; results in {os.path.relpath(path)}/ (serial.log, records.jsonl, table.csv)", file=sys.stderr)
    return status
