# SPDX-License-Identifier: BSD-2-Clause
"""`./tlblab collect` on a live line: what the line loses is asked for, and the kernel sends it again."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

import build
import qemu
import records
import results
from check import step

OPTIONS = ["tests=none", "bench=none", "end=poweroff", "listen=4"]
LIMIT = 120  # seconds


def _connect(path, seconds=20):
    """QEMU makes its socket when it is ready to."""
    for _ in range(seconds * 10):
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(path)
            return line
        except OSError:
            line.close()
            time.sleep(0.1)
    raise OSError(f"{path} did not come")


class Lossy(threading.Thread):
    """Passes lines from the guest to a client, and what the client types back. `spoil(line)`: the line to pass, None to lose it."""

    def __init__(self, guest, path, spoil):
        super().__init__(daemon=True)
        self.guest, self.spoil, self.typed = guest, spoil, b""
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen(1)

    def run(self):
        client = self.server.accept()[0]
        line = _connect(self.guest)
        threading.Thread(target=self._type, args=(client, line), daemon=True).start()
        with client, line.makefile("rb") as lines, contextlib.suppress(ConnectionError):  # the client goes when it has all
            for one in lines:
                one = self.spoil(one)
                if one is not None:
                    client.sendall(one)

    def _type(self, client, line):
        with contextlib.suppress(OSError):
            while data := client.recv(100):
                self.typed += data
                line.sendall(data)


def _spoiler(lost, damaged):
    """Loses and damages the records with these numbers, once each, and the first end record."""
    seen = set()

    def spoil(line):
        for item in records.scan(line):
            if isinstance(item, records.Record) and item.seq not in seen:
                seen.add(item.seq)
                if item.type == "end" or item.seq in lost:
                    return None
                if item.seq in damaged:
                    return line[:40] + line[41:]
        return line

    return spoil


def _collects(report, name, machine):
    with tempfile.TemporaryDirectory() as directory:
        guest, client = os.path.join(directory, "guest"), os.path.join(directory, "client")
        machine.extra = ["-serial", f"unix:{guest},server=on,wait=on"]
        lossy = Lossy(guest, client, _spoiler({0, 3, 4}, {2, 6}))
        command = machine.command()
        at = command.index("stdio")
        del command[at - 1 : at + 1]  # the serial port of a run that is only watched
        emulator = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            lossy.start()
            kept = report.path(name)
            words = ["collect", f"unix:{client}", "--output", str(kept), "--timeout", "60"]
            command = [sys.executable, str(build.TOP / "tools" / "main.py"), *words]
            done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
            emulator.wait(20)
        finally:
            if emulator.poll() is None:
                emulator.kill()
                emulator.wait()
        good = done.returncode == 0 and b"resend 0,2-4,6\r" in lossy.typed
        report.expect(name, good, f"typed: {lossy.typed}\n{done.stdout}{done.stderr}")
        times = (kept / "serial.times").read_text()
        report.expect(f"{name}: what was kept", "asked for 0,2-4,6" in times and results.read(kept / "serial.log"), times)


@step("normal", one_cpu=True)
def collect_asks(report):
    """records lost on the line, the end record among them, are asked for and come; both ports' UARTs"""
    _collects(report, "x86", qemu.Machine(build.build(quiet=True), "direct", OPTIONS, smp=2))
    _collects(report, "arm64", qemu.Arm64(build.build_arm64(quiet=True), OPTIONS, smp=2))


@step("all", one_cpu=True)
def collect_faults(report):
    """100000 random faults of a serial line, put into recorded logs"""
    command = [sys.executable, str(build.TOP / "tests" / "host" / "faults.py"), "1", "100000"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    report.expect("every loss is named, nothing false comes out", done.returncode == 0, done.stdout + done.stderr)
