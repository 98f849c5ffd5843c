# SPDX-License-Identifier: BSD-2-Clause
"""Bugs of the zoo in QEMU: the kernel with each, and the guest test that has to fail."""

from check import step
from zoo_qemu import Shown, entries


def _shown(report, chosen):
    for entry in chosen:
        shown = Shown(entry)
        report.expect(f"{entry.id} by {entry.qemu['test']}", not shown.wrong, "\n".join(shown.wrong))


@step("normal")
def zoo_qemu_one(report):
    """a bug of the zoo in QEMU: kernel ranges are flushed on the own CPU only, and the kernel's own test fails"""
    _shown(report, [entry for entry in entries() if entry.id == "A18"])


@step("all")
def zoo_qemu(report):
    """each bug of the zoo that QEMU can show fails the guest test that it names, and the kernel without it does not"""
    _shown(report, entries())
