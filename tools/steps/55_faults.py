# SPDX-License-Identifier: BSD-2-Clause
"""What goes wrong in a run is named, and the run ends: option fault= makes it go wrong."""

import build
import qemu
import trial
from check import step

CPUS = 4

# fault=: what has to be printed. The last CPU is the one at fault.
FAULTS = {
    "hang": [f"watchdog: CPU {CPUS - 1}: at ", "interrupts off", "calls queued",
             "interrupts last off for fault=hang", "waited too long for a cross call"],
    "call": [f"watchdog: CPU {CPUS - 1}: at ", "calls none, in CPU 0's", "waited too long for a cross call"],
    "check": ["CHECK(", "boot/fault.c", f"CPU {CPUS - 1}, strategy"],
}


def _named(report, faults, boots):
    for fault, wanted in faults.items():
        one = trial.trial(report, fault, boots([f"fault={fault}", "watchdog=500", "bench=ipi"]), "error")
        if one:
            text = "\n".join(one.lines)
            missing = [words for words in wanted if words not in text]
            report.expect(fault, not missing and not one.log.of_type("result"), f"not said: {missing}\n" + one.tail())


@step("quick")
def faults(report):
    """a CPU that stops answering, a call that never ends, an impossible state: named, verdict error"""
    _named(report, FAULTS, lambda options: qemu.Machine(build.build(quiet=True), "direct", options, smp=CPUS))


@step("normal")
def arm64_faults(report):
    """the same on arm64, where a CPU with interrupts masked can't be asked: what it did last is named"""
    silent = {fault: [words.replace(": at ", ": does not answer") for words in wanted if words != "interrupts off"]
              for fault, wanted in FAULTS.items()}
    _named(report, silent, lambda options: qemu.Arm64(build.build_arm64(quiet=True), options, smp=CPUS))
