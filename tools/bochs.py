# SPDX-License-Identifier: BSD-2-Clause
"""
Bochs: its command line, and what its end says. There PCID, INVPCID and x2APIC execute, which QEMU's TCG lacks. It boots the ISO by
BIOS only, and its clock counts instructions: two runs with the same options give the same bytes.
"""

import re
import shutil
import signal
import subprocess

import build
import errors
from emulator import Left

PACKAGES = "bochs bochs-term bochsbios vgabios"
CPU = "corei7_haswell_4770"
CPUS, CPUS_MAX = 4, 8
MEMORY_MAX = 2048  # MiB

# Instructions per emulated second. Few, so that waiting for what takes time, a serial byte most of all, takes few instructions.
IPS = 10_000_000

# Debian's Bochs has its debugger built in, which reads commands from stdin: c, and Bochs runs. What Bochs prints on its stdout is
# nobody's; its file descriptor 3, the serial line, is ours.
LAUNCH = """TERM=vt100 exec bochs "$@" 3>&1 >/dev/null <<END
c
END
"""
COMMON = [
    "display_library: term",  # nobody has to look: the screen is a terminal that Bochs opens itself
    "clock: sync=none, time0=946684800",
    "boot: cdrom",
    "com1: enabled=1, mode=file, dev=/dev/fd/3",
    "sound: driver=dummy",
    "speaker: enabled=0",
    "log: /dev/null",
    "panic: action=fatal",  # never a question to a user
    "error: action=ignore",
    "info: action=ignore",
]

EXIT_MESSAGE = re.compile(r"Bochs is exiting with the following message:\n\[[^]]*\] *(.*)")
SHUTDOWN = "Shutdown port: shutdown requested"


class Machine:
    """What to emulate; `image` is the ISO."""

    name, stop = "Bochs", signal.SIGKILL  # while the guest's CPUs halt it does not look at a SIGTERM

    def __init__(self, image, cpu=None, smp=None, memory=512):
        self.image, self.cpu, self.smp, self.memory = image, cpu or CPU, smp or CPUS, memory

    def command(self):
        options = COMMON + [
            f"cpu: model={self.cpu}, count={self.smp}, ips={IPS}, reset_on_triple_fault=0",
            f"megs: {self.memory}",
            f'ata0-master: type=cdrom, path="{self.image}", status=inserted',
        ]
        return ["/bin/sh", "-c", LAUNCH, "sh", "-q", "-f", "/dev/null", *options]

    def left(self, status, stderr):
        """A shutdown that the guest asks for ends Bochs like any panic, so the message has to tell. No verdict comes with it."""
        found = EXIT_MESSAGE.search(stderr)
        if found and found[1] == SHUTDOWN:
            return Left(True)
        return Left(False, None, found[1] if found else stderr)


def missing():
    """None, or why Bochs can't be run here."""
    return None if shutil.which("bochs") else f"Bochs is not installed; Debian's packages are {PACKAGES}"


def _models():
    done = subprocess.run(["bochs", "--help", "cpu"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return re.findall(r"^\w+$", done.stdout + done.stderr, re.M)


def _refuse(a):
    """What `run` can be told and Bochs hasn't."""
    if a.arch != "x86_64":
        raise errors.usage(f"run --arch {a.arch}: not with --emulator bochs; accepted is x86_64")
    if a.firmware not in (None, "bios"):
        raise errors.usage(f"run --firmware {a.firmware}: Bochs boots the ISO by BIOS; accepted is bios")
    for given, option, why in (
        (a.medium == "esp", "--medium esp", "Bochs boots the ISO"),
        (a.accel, "--accel", "Bochs interprets, whatever the host has"),
        (a.icount, "--icount", "Bochs's clock always counts instructions"),
        (a.qemu_arg, "--qemu-arg", "that is for --emulator qemu"),
    ):
        if given:
            raise errors.usage(f"run {option}: not with --emulator bochs; {why}")
    if a.smp and a.smp > CPUS_MAX:
        raise errors.usage(f"run --smp {a.smp}: accepted by Bochs is a number from 1 to {CPUS_MAX}")
    if a.memory > MEMORY_MAX:
        raise errors.usage(f"run --memory {a.memory}: accepted by Bochs is a number from 4 to {MEMORY_MAX}")
    if "end=reboot" in a.kernel:
        raise errors.usage("run -- end=reboot: Bochs would start it again; accepted are auto, exit, halt, poweroff")


def prepare(a):
    """The Machine that the arguments of `run` ask for."""
    _refuse(a)
    why = missing()
    if why:
        raise errors.usage(f"run --emulator bochs: {why}")
    if a.cpu and a.cpu not in _models():
        raise errors.usage(f"run --cpu {a.cpu}: accepted by Bochs are {', '.join(_models())}")
    return Machine(build.for_run("bios", a.kernel), a.cpu, a.smp, a.memory)
