# SPDX-License-Identifier: BSD-2-Clause
"""What goes wrong in a run is named, and the run ends: option fault= makes it go wrong."""

import build
import errors
import qemu
import trial
from check import step

CPUS = 4

# fault=: what has to be printed. The last CPU is the one at fault.
FAULTS = {
    "hang": [f"watchdog: CPU {CPUS - 1}: at ", "interrupts off", "calls queued",
             "interrupts last off for fault=hang", "waited too long for a cross call"],
    "call": [f"watchdog: CPU {CPUS - 1}: at ", "calls none, in CPU 0's", "waited too long for a cross call"],
    "lost-ipi": [f"watchdog: CPU {CPUS - 1}: at ", "interrupts on", "calls queued", "waited too long for a cross call"],
    "check": ["CHECK(", "boot/fault.c", f"CPU {CPUS - 1}, strategy"],
    "exception": ["address 0x8", f"CPU {CPUS - 1}, strategy"],
    "stack": ["stack overflow", f"CPU {CPUS - 1}, strategy"],
}


def _named(report, faults, boots):
    for fault, wanted in faults.items():
        one = trial.trial(report, fault, boots([f"fault={fault}", "watchdog=500", "bench=ipi"]), "error")
        if one:
            text = "\n".join(one.lines)
            missing = [words for words in wanted if words not in text]
            report.expect(fault, not missing and not one.log.of_type("result"), f"not said: {missing}\n" + one.tail())


# fault=: what an error or note record has to say; the run goes on, and what it can do is done.
SURVIVED = {"frames": "out of frames", "absent": "a CPU did not start"}


def _survived(report, boots):
    for fault, wanted in SURVIVED.items():
        words = [f"fault={fault}", "bench=latency", "tlb=ipi", "repeat=1", "cpus=2", "pages=1,512"]
        one = trial.trial(report, fault, boots(words), "error")
        if one:
            said = [r.text for kind in ("error", "note") for r in one.log.of_type(kind)]
            results = len(one.log.of_type("result"))
            report.expect(fault, any(wanted in text for text in said) and results, f"{results} results; {said}\n" + one.tail())
    one = trial.Trial(report, "reset", boots(["fault=reset", "bench=ipi"]))
    good = one.status == errors.INCOMPLETE and one.log.first("plan") and not one.log.first("end")
    report.expect("reset", good, f"status {one.status}\n" + one.tail())


@step("quick", one_cpu=True)
def faults(report):
    """a CPU that stops answering, calls that never end, an impossible state, an exception, a small stack: named, verdict error"""
    _named(report, FAULTS, lambda options: qemu.Machine(build.build(quiet=True), "direct", options, smp=CPUS))


@step("normal", one_cpu=True)
def survived_faults(report):
    """no frames left, a CPU that is not there: the run goes on; a reset in the middle: it is incomplete; both ISAs"""
    _survived(report, lambda options: qemu.Machine(build.build(quiet=True), "direct", options, smp=CPUS))
    _survived(report, lambda options: qemu.Arm64(build.build_arm64(quiet=True), options, smp=CPUS))


@step("normal", one_cpu=True)
def arm64_faults(report):
    """the same on arm64, where a CPU with interrupts masked can't be asked: what it did last is named"""
    silent = {fault: wanted if "interrupts on" in wanted else
              [words.replace(": at ", ": does not answer") for words in wanted if words != "interrupts off"]
              for fault, wanted in FAULTS.items()}
    _named(report, silent, lambda options: qemu.Arm64(build.build_arm64(quiet=True), options, smp=CPUS))
