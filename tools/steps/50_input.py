# SPDX-License-Identifier: BSD-2-Clause
"""Bad kernel options: one line that says what is wrong, verdict error, and nothing runs."""

import concurrent.futures
import os

import build
import qemu
import trial
from check import step

# Options, and what the line has to name. All on 2 CPUs.
BAD = {
    "frobnicate=1": "frobnicate",
    "repaet=3": "repeat",
    "tlb": "tlb",
    "tlb=": "tlb",
    "tlb=frob": "frob",
    "tlb=ipi,frob": "frob",
    "tlb=ipi+frob": "frob",
    "tlb=ipi+ceiling=99999999": "ceiling",
    "tlb=ipi+ceiling=many": "ceiling",
    "tlb=ipi tlb=lazy": "tlb",
    "bench=frob": "frob",
    "bench=latency,frob": "frob",
    "tests=frob": "frob",
    "pages=0": "pages",
    "pages=1,x": "pages",
    "cpus=64": "64",
    "repeat=0": "repeat",
    "repeat=ten": "repeat",
    "idle=sleep": "idle",
    "others=sleep": "others",
    "others=halt idle=spin": "others",
    "output=loud": "output",
    "end=explode": "end",
    "console=tty9": "console",
    "tlb=ipi+trim": "trim",
    "tlb=none+lazy": "lazy",
    "tlb=ipi+mask+exact": "exact",
    "tlb=ipi+none": "none",
    "acpi=maybe": "acpi",
    "acpi=off": "nothing says what hardware there is",
}


def _refused(report, name, machine, wanted):
    one = trial.trial(report, name, machine, "error")
    if not one:
        return
    errors = one.log.of_type("error")
    ran = [r.text for kind in ("result", "test", "sabotage") for r in one.log.of_type(kind)]
    good = len(errors) == 1 and wanted in errors[0].get("message", "") and not ran
    report.expect(name, good, f"expected one error record that names {wanted}, and nothing run\n" + one.tail())


@step("quick")
def bad_options(report):
    """what the kernel refuses"""
    kernel = build.build(quiet=True)

    def refused(words):
        _refused(report, words, qemu.Machine(kernel, "direct", words.split(), smp=2), BAD[words])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(refused, BAD))


@step("quick")
def little_memory(report):
    """a machine that is too small says so"""
    _refused(report, "8 MiB", qemu.Machine(build.build(quiet=True), "direct", ["bench=ipi"], smp=2, memory=8), "memory")
