# SPDX-License-Identifier: BSD-2-Clause
"""What goes wrong in a run is named, and the run ends: option fault= makes it go wrong."""

import build
import qemu
import trial
from check import step

CPUS = 4

# fault=: what has to be printed. The last CPU is the one at fault.
FAULTS = {
    "hang": [f"watchdog: CPU {CPUS - 1}: at ", "interrupts off", "calls queued", "waited too long for a cross call"],
    "check": ["CHECK(", "boot/fault.c", f"CPU {CPUS - 1}, strategy"],
}


@step("quick")
def faults(report):
    """a CPU that stops answering, an impossible state: named, verdict error"""
    for fault, wanted in FAULTS.items():
        options = [f"fault={fault}", "watchdog=500", "bench=ipi"]
        one = trial.trial(report, fault, qemu.Machine(build.build(quiet=True), "direct", options, smp=CPUS), "error")
        if one:
            text = "\n".join(one.lines)
            missing = [words for words in wanted if words not in text]
            report.expect(fault, not missing and not one.log.of_type("result"), f"not said: {missing}\n" + one.tail())
