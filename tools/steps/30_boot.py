# SPDX-License-Identifier: BSD-2-Clause
"""It boots: every firmware, every number of CPUs, and every CPU comes."""

import struct

import build
import qemu
import records
import runs
import trial
from check import step

NOTHING = ["tests=none", "bench=none"]


def _boots(report, firmware, image, cpus, stick=False):
    machine = qemu.Machine(image, firmware, NOTHING if firmware == "direct" else (), smp=cpus, stick=stick)
    name = f"{firmware}{' from a stick' if stick else ''} with {cpus} CPU{'s' if cpus > 1 else ''}"
    one = trial.trial(report, name, machine)
    if one:
        cpu = one.log.first("cpu")
        came = cpu.get("cpus") if cpu else None
        report.expect(name, came == cpus, f"{came} of {cpus} CPUs came")


def _iso(report):
    return build.iso(NOTHING, report.path("boot.iso"), quiet=True)


@step("quick", one_cpu=True)
def boot_direct(report):
    """-kernel"""
    for cpus in (1, 2, 4, 8):
        _boots(report, "direct", build.build(quiet=True), cpus)


@step("quick", one_cpu=True)
def boot_bios(report):
    """SeaBIOS, GRUB, ISO"""
    _boots(report, "bios", _iso(report), 2)


@step("quick", one_cpu=True)
def boot_uefi(report):
    """OVMF, GRUB, ISO"""
    if not qemu.OVMF_CODE.exists():
        report.skip("uefi", "ovmf is not installed")
        return
    _boots(report, "uefi", _iso(report), 2)


@step("normal", one_cpu=True)
def boot_stick(report):
    """the same ISO as a USB stick"""
    for firmware in ("bios", "uefi"):
        if firmware == "uefi" and not qemu.OVMF_CODE.exists():
            report.skip("uefi", "ovmf is not installed")
        else:
            _boots(report, firmware, _iso(report), 2, stick=True)


@step("normal")
def boot_many(report):
    """64 CPUs"""
    _boots(report, "direct", build.build(quiet=True), 64)
    _boots(report, "bios", _iso(report), 64)


@step("all")
def boot_255(report):
    """as many CPUs as an xAPIC can name"""
    _boots(report, "direct", build.build(quiet=True), 255)


@step("quick", one_cpu=True)
def resend(report):
    """resend=1 sends every record again, and what one pass lost the other has"""
    machine = qemu.Machine(build.build(quiet=True), "direct", NOTHING + ["resend=1"])
    one = trial.trial(report, "resend", machine)
    if not one:
        return
    lines = [line for line in one.path.read_bytes().split(b"\n") if records.MARK in line]
    count = len(one.log.records)
    report.expect("resend", len(lines) == 2 * count, f"{len(lines)} lines for {count} records")
    for lost in range(count):
        log = runs.judge(records.scan(b"\n".join(lines[:lost] + lines[lost + 1 :])))
        if log.problems:
            report.fail(f"record {lost} lost once", "\n".join(log.problems))


class _SecondPort(qemu.Machine):
    """What is seen is written to COM2."""

    def _serial(self):
        return ["-serial", "null", *super()._serial()]


def _spcr(address):
    """A table SPCR that names a 16550 at an I/O port, 115200 baud."""
    table = bytearray(80)
    table[0:9] = b"SPCR" + struct.pack("<IB", len(table), 2)
    table[10:24] = b"TLBLABTLBLAB  "
    table[36:52] = struct.pack("<B3xBBBBQ", 0, 1, 8, 0, 1, address)
    table[58] = 7
    table[9] = -sum(table) & 0xFF
    return bytes(table)


@step("normal", one_cpu=True)
def console_by_spcr(report):
    """the console that table SPCR names; console= wins"""
    path = report.path("spcr.bin")
    path.write_bytes(_spcr(0x2F8))
    extra = ["-acpitable", f"file={path}"]
    for name, machine, words in (("COM2 by SPCR", _SecondPort, []), ("COM1 by console=", qemu.Machine, ["console=ttyS0"])):
        one = trial.trial(report, name, machine(build.build(quiet=True), "direct", [*NOTHING, *words], smp=2, extra=extra))
        if one:
            seen = one.log.first("end")
            report.expect(name, seen and seen.get("verdict") == "ok", one.tail())
