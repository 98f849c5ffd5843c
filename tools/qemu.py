# SPDX-License-Identifier: BSD-2-Clause
"""
One run of the kernel in QEMU. The serial line is QEMU's stdout, a pipe; every byte goes to the log file before anything else is
done with it. A run without any output for `timeout` seconds hangs and is ended: the limit is on silence, not on the run's length.
"""

import os
import pathlib
import select
import signal
import subprocess
import time

from errors import Error

OVMF_CODE = pathlib.Path("/usr/share/OVMF/OVMF_CODE_4M.fd")
OVMF_VARS = pathlib.Path("/usr/share/OVMF/OVMF_VARS_4M.fd")

# What the kernel writes to isa-debug-exit says its verdict: value v ends QEMU with status 2 v + 1.
VERDICTS = {33: "ok", 35: "failed", 37: "error"}

SILENCE = 120  # seconds without any output: it hangs
STOP_WAIT = 5  # seconds from SIGTERM to SIGKILL

# No display, and nothing on stdin: QEMU has no terminal to leave in a bad state.
COMMON = "-display none -vga none -nodefaults -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=0x04".split()


def host_cpus():
    """As many vCPUs as the host has cores, at least 2: with one there is nobody to shoot at."""
    return max(2, len(os.sched_getaffinity(0)))


class Machine:
    """
    What to emulate. `image` is the ELF for firmware "direct", else the ISO, as a CD or written to a USB stick; `options` the
    kernel's command line for "direct".
    """

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
                raise Error(f"{file} is missing; it is in Debian's package ovmf")
        code = f"if=pflash,format=raw,readonly=on,file={OVMF_CODE}"
        variables = f"if=pflash,format=raw,snapshot=on,file={OVMF_VARS}"  # what a run writes there must not steer the next one
        return ["-M", "q35", "-drive", code, "-drive", variables, *self._medium()]

    def _medium(self):
        if not self.stick:
            return ["-cdrom", str(self.image)]
        drive = f"format=raw,readonly=on,if=none,id=stick,file={self.image}"
        return ["-drive", drive, "-device", "qemu-xhci", "-device", "usb-storage,drive=stick,bootindex=1"]


class Outcome:
    """How a run ended. `status`: QEMU's, None if it was ended from here; then `ended` says why."""

    def __init__(self, status, ended, stderr, seconds):
        self.status, self.ended, self.stderr, self.seconds = status, ended, stderr, seconds

    @property
    def verdict(self):
        """The verdict that the exit status carries, or None."""
        return VERDICTS.get(self.status)


def _stop(process):
    process.terminate()
    try:
        process.wait(STOP_WAIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _read(process, log, timeout, limit, on_bytes, on_tick):
    """Serial bytes until QEMU's end (None), timeout() seconds of silence ("silence"), or `limit` seconds in all ("limit")."""
    start = last = time.monotonic()
    while limit is None or time.monotonic() - start < limit:
        if select.select([process.stdout], [], [], 0.2)[0]:
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            log.write(data)
            on_bytes(data)
            last = time.monotonic()
        elif time.monotonic() - last > timeout():
            return "silence"
        on_tick()
    return "limit"


def run(machine, log_path, timeout=lambda: SILENCE, limit=None, on_bytes=lambda data: None, on_tick=lambda: None):
    """Runs it to its end; the serial bytes are in log_path. Ctrl-C (or SIGTERM) ends QEMU only, and what came is kept."""
    start = time.monotonic()
    # The errors go to a file: nobody would empty a second pipe. A session of its own: a Ctrl-C is ours to handle.
    with open(log_path, "wb", buffering=0) as log, open(f"{log_path}.qemu", "w+b") as errors:
        command = machine.command()
        try:
            files = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": errors}
            process = subprocess.Popen(command, **files, start_new_session=True)
        except OSError as error:
            raise Error(f"{command[0]} did not start: {error.strerror}")
        ended = None
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            ended = _read(process, log, timeout, limit, on_bytes, on_tick)
            if not ended:
                process.wait()
        except KeyboardInterrupt:
            ended = "interrupt"
        finally:
            if ended or process.poll() is None:
                _stop(process)
            process.stdout.close()
            signal.signal(signal.SIGTERM, before)
        errors.seek(0)
        stderr = errors.read().decode(errors="replace").strip()
    os.unlink(f"{log_path}.qemu")
    return Outcome(None if ended else process.returncode, ended, stderr, time.monotonic() - start)
