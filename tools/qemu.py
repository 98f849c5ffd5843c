# SPDX-License-Identifier: BSD-2-Clause
"""QEMU: its command lines for x86-64 and arm64, and what its exit status says. How it is run is in emulator.py."""

import os
import pathlib
import platform
import signal
import sys

import build
import errors
from emulator import Left

OVMF_CODE = pathlib.Path("/usr/share/OVMF/OVMF_CODE_4M.fd")
OVMF_VARS = pathlib.Path("/usr/share/OVMF/OVMF_VARS_4M.fd")
AAVMF_CODE = pathlib.Path("/usr/share/AAVMF/AAVMF_CODE.fd")
AAVMF_VARS = pathlib.Path("/usr/share/AAVMF/AAVMF_VARS.fd")

# What the kernel writes to isa-debug-exit says its verdict: value v ends QEMU with status 2 v + 1. By semihosting the same ones.
VERDICTS = {33: "ok", 35: "failed", 37: "error"}

# No display, and nothing on stdin: QEMU has no terminal to leave in a bad state.
COMMON = "-display none -vga none -nodefaults -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=0x04".split()
COMMON_ARM64 = "-display none -nodefaults -no-reboot -semihosting-config enable=on,target=native".split()


def host_cpus():
    """As many vCPUs as the host has cores, at least 2: with one there is nobody to shoot at."""
    return max(2, len(os.sched_getaffinity(0)))


def _flash(code, variables, package):
    """The drives that are UEFI's flash memory."""
    for file in (code, variables):
        if not file.exists():
            raise errors.Error(f"{file} is missing; it is in Debian's package {package}")
    # What a run writes into its variables must not steer the next one.
    drives = f"if=pflash,format=raw,readonly=on,file={code}", f"if=pflash,format=raw,snapshot=on,file={variables}"
    return [word for drive in drives for word in ("-drive", drive)]


class Machine:
    """
    What to emulate. `image` is the ELF for firmware "direct", else the ISO, as a CD or written to a USB stick; `options` the
    kernel's command line for "direct".
    """

    name, stop = "QEMU", signal.SIGTERM

    def __init__(
        self, image, firmware="bios", options=(), accel="tcg", cpu=None, smp=None, memory=512, icount=False, extra=(),
        stick=False,
    ):
        self.stick = stick
        self.image, self.firmware, self.options, self.accel, self.cpu = image, firmware, options, accel, cpu
        self.smp, self.memory, self.icount, self.extra = smp or host_cpus(), memory, icount, extra

    def command(self):
        line = ["qemu-system-x86_64", *self._accel(), "-cpu", self.cpu or self._cpu()]
        line += ["-smp", str(self.smp), "-m", str(self.memory), *COMMON, *self._serial(), *self._firmware(), *self.extra]
        return line

    def left(self, status, stderr):
        return Left(status == 0 or status in VERDICTS, VERDICTS.get(status), stderr)  # 0: the kernel powered off or rebooted

    def _serial(self):
        # To a pipe that is full, "stdio" waits with the bytes, and the guest sees it: its transmitter stays busy. With icount
        # that would make the clock depend on how fast we read; "file" waits with the whole machine instead.
        return ["-serial", "file:/dev/stdout" if self.icount else "stdio"]

    def _cpu(self):
        if self.accel == "kvm":
            return "host"
        # QEMU 10 with icount ends with "Bad icount read" when the timer is read through an x2APIC MSR. 7.2 has none under TCG.
        return "max,x2apic=off" if self.icount else "max"

    def _accel(self):
        if self.accel == "kvm":
            return ["-accel", "kvm"]
        if self.icount:  # instructions are the clock: two runs give the same bytes
            return ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off"]
        return ["-accel", "tcg,thread=multi"]

    def _firmware(self):
        if self.firmware == "direct":
            return ["-M", "q35", "-kernel", str(self.image), "-append", " ".join(self.options)]
        if self.firmware == "bios":
            return ["-M", "pc", *self._medium()]
        return ["-M", "q35", *_flash(OVMF_CODE, OVMF_VARS, "ovmf"), *self._medium()]

    def _medium(self):
        if not self.stick:
            return ["-cdrom", str(self.image)]
        drive = f"format=raw,readonly=on,if=none,id=stick,file={self.image}"
        return ["-drive", drive, "-device", "qemu-xhci", "-device", "usb-storage,drive=stick,bootindex=1"]


class Arm64(Machine):
    """
    QEMU's machine `virt`; `gic` 2 (8 CPUs at most) or 3; with `el2` it starts there. `medium` is what `image` is: "kernel", the
    Image, with `options` as its command line; "esp" or "iso", which have theirs. Firmware "uefi" takes each, "direct" the first.
    UEFI says by ACPI what hardware there is, or without `acpi` by a device tree; direct boot always has the tree.
    """

    def __init__(
        self, image, options=(), accel="tcg", cpu=None, smp=None, memory=512, icount=False, extra=(), gic=3, el2=False,
        firmware="direct", medium="kernel", acpi=True,
    ):
        super().__init__(image, firmware, options, accel, cpu, smp, memory, icount, extra)
        self.gic, self.el2, self.medium, self.acpi = gic, el2, medium, acpi

    def command(self):
        board = f"virt,gic-version={self.gic}" + ",virtualization=on" * self.el2
        board += ",acpi=off" * (not self.acpi)
        cpu = self.cpu or self._cpu()
        if self.icount and "cntfrq" not in cpu:
            cpu += ",cntfrq=1000000000"  # else a tick is 16 instructions
        line = ["qemu-system-aarch64", *self._accel(), "-M", board, "-cpu", cpu, "-smp", str(self.smp), "-m", str(self.memory)]
        line += [*COMMON_ARM64, *self._serial()]
        if self.firmware == "uefi":
            line += _flash(AAVMF_CODE, AAVMF_VARS, "qemu-efi-aarch64")
        return line + self._medium() + list(self.extra)

    def _medium(self):
        if self.medium == "kernel":
            return ["-kernel", str(self.image), "-append", " ".join(self.options)]
        drive = ["-drive", f"format=raw,readonly=on,if=none,id=boot,file={self.image}"]
        if self.medium == "esp":
            return drive + ["-device", "virtio-blk-pci,drive=boot,bootindex=0"]
        return drive + ["-device", "virtio-scsi-pci", "-device", "scsi-cd,drive=boot,bootindex=0"]

    def _cpu(self):
        return "host" if self.accel == "kvm" else "max,pauth-impdef=on"  # QEMU's other pointer authentication is slow


def _prepare_arm64(a, accel):
    firmware, medium = a.firmware or "direct", a.medium or "esp"
    if firmware == "bios":
        raise errors.usage("run --firmware bios: accepted with --arch arm64 are uefi, direct")
    if firmware == "direct" and a.medium:
        raise errors.usage(f"run --medium {a.medium}: needs --firmware uefi; direct boots the Image itself")
    if accel == "kvm" and platform.machine() != "aarch64":
        raise errors.usage(f"run --accel kvm: this host is {platform.machine()}; accepted with --arch arm64 is tcg")
    image, medium = build.for_run_arm64(firmware, medium, a.kernel)
    more = {"firmware": firmware, "medium": medium, "acpi": "acpi=off" not in a.kernel}  # UEFI gives one or the other
    return Arm64(image, a.kernel, accel, a.cpu, a.smp, a.memory, a.icount, a.qemu_arg, **more)


def prepare(a):
    """The Machine that the arguments of `run` ask for."""
    accel = a.accel or "tcg"
    if a.icount and accel == "kvm":
        raise errors.usage("run --icount: needs --accel tcg; kvm can't count instructions")
    if accel == "kvm" and not os.access("/dev/kvm", os.R_OK | os.W_OK):
        raise errors.usage("run --accel kvm: /dev/kvm can't be opened; accepted here is tcg")
    if a.arch == "arm64":
        return _prepare_arm64(a, accel)
    if accel == "kvm" and platform.machine() != "x86_64":
        raise errors.usage(f"run --accel kvm: this host is {platform.machine()}; accepted with --arch x86_64 is tcg")
    firmware = a.firmware or "bios"
    if a.medium == "esp":
        raise errors.usage("run --medium esp: there is no EFI application for x86_64; accepted is iso")
    if a.medium and firmware == "direct":
        raise errors.usage("run --medium iso: needs --firmware bios or uefi; direct boots the ELF file itself")
    return Machine(build.for_run(firmware, a.kernel), firmware, a.kernel, accel, a.cpu, a.smp, a.memory, a.icount, a.qemu_arg)
