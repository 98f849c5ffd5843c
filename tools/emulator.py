# SPDX-License-Identifier: BSD-2-Clause
"""
One run of the kernel in an emulator. What is particular to one is its Machine, in qemu.py and bochs.py: `name`, `command()`,
`stop` (the signal that ends it), and `left()`, which says what its exit status means.

The serial line is the process's stdout, a pipe; every byte goes to the log file before anything else is done with it. A run without
any output for `timeout` seconds hangs and is ended: the limit is on silence, not on the run's length.
"""

import os
import select
import signal
import subprocess
import threading
import time

from errors import Error

SILENCE = 120  # seconds without any output: it hangs
STOP_WAIT = 5  # seconds from its signal to SIGKILL


class Left:
    """How an emulator ended by itself. `good`: the guest wanted it to; `verdict`: the one that its status says, or None."""

    def __init__(self, good, verdict=None, message=""):
        self.good, self.verdict, self.message = good, verdict, message


class Outcome:
    """How a run ended. `status`: the emulator's, None if it was ended from here; then `ended` says why. `left`: a Left, or None."""

    def __init__(self, name, status, ended, seconds, left=None):
        self.name, self.status, self.ended, self.seconds, self.left = name, status, ended, seconds, left

    def fits(self, verdict):
        """Ended by the guest, which said this verdict in its records, and no other in the status."""
        return bool(self.left and self.left.good and verdict and self.left.verdict in (None, verdict))


def _stop(process, number):
    process.send_signal(number)
    try:
        process.wait(STOP_WAIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _read(process, log, timeout, limit, on_bytes, on_tick):
    """Serial bytes until their end (None), timeout() seconds of silence ("silence"), or `limit` seconds in all ("limit")."""
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
    """
    Runs it to its end; the serial bytes are in log_path. Ctrl-C (or SIGTERM) ends the emulator only, and what came is kept;
    but not from another thread than the main one, where it goes on to its end, timeout() or limit.
    """
    start = time.monotonic()
    # The errors go to a file: nobody would empty a second pipe. A session of its own: a Ctrl-C is ours to handle.
    with open(log_path, "wb", buffering=0) as log, open(f"{log_path}.stderr", "w+b") as errors:
        command = machine.command()
        try:
            files = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": errors}
            process = subprocess.Popen(command, **files, start_new_session=True)
        except OSError as error:
            raise Error(f"{command[0]} did not start: {error.strerror}")
        ended = None
        main = threading.current_thread() is threading.main_thread()  # the only one that signals reach
        before = main and signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            ended = _read(process, log, timeout, limit, on_bytes, on_tick)
            if not ended:
                process.wait()
        except KeyboardInterrupt:
            ended = "interrupt"
        finally:
            if ended or process.poll() is None:
                _stop(process, machine.stop)
            process.stdout.close()
            if main:
                signal.signal(signal.SIGTERM, before)
        errors.seek(0)
        stderr = errors.read().decode(errors="replace").strip()
    os.unlink(f"{log_path}.stderr")
    status = None if ended else process.returncode
    return Outcome(machine.name, status, ended, time.monotonic() - start, None if ended else machine.left(status, stderr))
