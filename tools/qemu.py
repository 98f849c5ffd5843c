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

# What the kernel writes to isa-debug-exit says its verdict: value v ends QEMU with status 2 v + 1. By semihosting the same ones.
VERDICTS = {33: "ok", 35: "failed", 37: "error"}

# No display, and nothing on stdin: QEMU has no terminal to leave in a bad state.
COMMON = "-display none -vga none -nodefaults -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=0x04".split()
COMMON_ARM64 = "-display none -nodefaults -no-reboot -semihosting-config enable=on,target=native".split()


def host_cpus():
    """As many vCPUs as the host has cores, at least 2: with one there is nobody to shoot at."""
    return max(2, len(os.sched_getaffinity(0)))


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
        for file in (OVMF_CODE, OVMF_VARS):
            if not file.exists():
                raise errors.Error(f"{file} is missing; it is in Debian's package ovmf")
        code = f"if=pflash,format=raw,readonly=on,file={OVMF_CODE}"
        variables = f"if=pflash,format=raw,snapshot=on,file={OVMF_VARS}"  # what a run writes there must not steer the next one
        return ["-M", "q35", "-drive", code, "-drive", variables, *self._medium()]

    def _medium(self):
        if not self.stick:
            return ["-cdrom", str(self.image)]
        drive = f"format=raw,readonly=on,if=none,id=stick,file={self.image}"
        return ["-drive", drive, "-device", "qemu-xhci", "-device", "usb-storage,drive=stick,bootindex=1"]


class Arm64(Machine):
    """QEMU's machine `virt`. `image` is a Linux arm64 Image; `gic` 2 (8 CPUs at most) or 3; with `el2` it starts there."""

    def __init__(self, image, options=(), accel="tcg", cpu=None, smp=None, memory=512, icount=False, extra=(), gic=3, el2=False):
        super().__init__(image, "direct", options, accel, cpu, smp, memory, icount, extra)
        self.gic, self.el2 = gic, el2

    def command(self):
        line = ["qemu-system-aarch64", *self._accel(), "-M", f"virt,gic-version={self.gic}{',virtualization=on' * self.el2}"]
        cpu = (self.cpu or self._cpu()) + ",cntfrq=1000000000" * self.icount  # else a tick is 16 instructions
        line += ["-cpu", cpu, "-smp", str(self.smp), "-m", str(self.memory), *COMMON_ARM64, *self._serial()]
        return line + ["-kernel", str(self.image), "-append", " ".join(self.options), *self.extra]

    def _cpu(self):
        return "host" if self.accel == "kvm" else "max,pauth-impdef=on"  # QEMU's other pointer authentication is slow


def _prepare_arm64(a, accel):
    if a.firmware not in (None, "direct"):
        raise errors.usage(f"run --firmware {a.firmware}: accepted with --arch arm64 is direct")
    if accel == "kvm" and platform.machine() != "aarch64":
        raise errors.usage(f"run --accel kvm: this host is {platform.machine()}; accepted with --arch arm64 is tcg")
    print("building", file=sys.stderr)
    return Arm64(build.build_arm64(quiet=True), a.kernel, accel, a.cpu, a.smp, a.memory, a.icount, a.qemu_arg)


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
    return Machine(build.for_run(firmware, a.kernel), firmware, a.kernel, accel, a.cpu, a.smp, a.memory, a.icount, a.qemu_arg)
