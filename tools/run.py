# SPDX-License-Identifier: BSD-2-Clause
"""`./tlblab run`: build, boot in QEMU, keep everything, print the table."""

import os
import sys

import build
import errors
import qemu
import records
import results
from progress import Progress


AFTER_END = 5  # seconds of silence after the end record: the kernel halted, as end=halt asks for


class Watcher:
    """Decodes the serial bytes while they come, for the live line."""

    def __init__(self, timeout=qemu.SILENCE):
        self.scanner, self.items, self.progress = records.Scanner(), [], Progress()
        self.timeout, self.ended = timeout, False

    def bytes(self, data):
        for item in self.scanner.feed(data):
            self.items.append(item)
            if isinstance(item, str):
                self.progress.saw(item)
            elif isinstance(item, records.Record) and item.type == "end":
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
        return records.judge(self.items + self.scanner.end())


def judge(outcome, log, timeout):
    """(exit status, lines that say why it is not that of the records alone)."""
    status, lines = results.status(log), outcome.stderr.splitlines() if not outcome.ended else []
    if outcome.ended == "silence" and log.verdict:
        lines = ["QEMU was ended: the kernel halted after its end record"]
    elif outcome.ended == "silence":
        status, lines = errors.INCOMPLETE, [f"QEMU was ended: no output for {timeout} s"]
    elif outcome.ended == "interrupt":
        status, lines = errors.INCOMPLETE, ["interrupted; what came until then is kept"]
    elif outcome.verdict is None and not (outcome.status == 0 and log.verdict):  # 0: the kernel powered off or rebooted
        status, lines = errors.ERROR, [f"QEMU ended with status {outcome.status}"] + lines
    elif outcome.verdict and log.verdict and outcome.verdict != log.verdict:
        status, lines = errors.ERROR, [f"QEMU's exit status says {outcome.verdict}, but the end record {log.verdict}"] + lines
    return status, lines


def image(firmware, kernel_options):
    """Builds what that firmware boots. Without options an ISO boots into its own default: everything compared."""
    if firmware == "direct":
        return build.build(quiet=True)
    return build.iso(kernel_options or ["tlb=all"], quiet=True)


def run(arguments):
    if arguments.icount and arguments.accel == "kvm":
        raise errors.usage("run --icount: needs --accel tcg; kvm can't count instructions")
    if arguments.accel == "kvm" and not os.access("/dev/kvm", os.R_OK | os.W_OK):
        raise errors.usage("run --accel kvm: /dev/kvm can't be opened; accepted here is tcg")
    print("building", file=sys.stderr)
    a = arguments
    machine = qemu.Machine(image(a.firmware, a.kernel), a.firmware, a.kernel, a.accel, a.cpu, a.smp, a.memory, a.icount, a.qemu_arg)
    path = results.directory(arguments.output)
    watcher = Watcher(arguments.timeout)
    outcome = qemu.run(machine, path / "serial.log", watcher.silence, None, watcher.bytes, watcher.progress.tick)
    log = watcher.log()
    results.write(log, path)
    status, lines = judge(outcome, log, arguments.timeout)
    if "help" in arguments.kernel:
        print("\n".join(watcher.prose()))
    elif log.records or not lines:  # else QEMU itself failed, and says why
        results.show(log, ticks=arguments.icount)
    for line in lines:
        print(f"tlblab: {line}", file=sys.stderr)
    print(f"{outcome.seconds:.1f} s; results in {os.path.relpath(path)}/ (serial.log, records.jsonl, table.csv)", file=sys.stderr)
    return status
