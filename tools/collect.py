# SPDX-License-Identifier: BSD-2-Clause
"""`./tlblab collect FILE|-`: decode a serial log, or a serial device while it comes in."""

import os
import stat
import sys
import termios

import errors
import records
import results
from progress import Progress

RESEND_WAIT = 5  # seconds of silence after the end record: a resend would have begun


def _open(name):
    try:
        return sys.stdin.buffer.fileno() if name == "-" else os.open(name, os.O_RDONLY | os.O_NOCTTY)
    except OSError as error:
        raise errors.usage(f"collect {name}: {error.strerror}; accepted is a file, a serial device, or - for stdin")


def _raw(fd):
    """A serial device: no echo, no line editing. Speed and framing stay as they are set (stty)."""
    mode = termios.tcgetattr(fd)
    mode[0] &= ~(termios.ICRNL | termios.IXON | termios.INLCR | termios.ISTRIP)
    mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
    mode[6][termios.VMIN], mode[6][termios.VTIME] = 0, 10 * RESEND_WAIT
    termios.tcsetattr(fd, termios.TCSANOW, mode)


def _chunks(fd, ended):
    """Bytes until the end of the file; a terminal ends when it is silent after the end record. Ctrl-C ends it too."""
    terminal = os.isatty(fd)
    try:
        while True:
            data = os.read(fd, 1 << 16)
            if data:
                yield data
            elif not terminal or ended():
                return
    except KeyboardInterrupt:
        return


def collect(arguments):
    if not arguments.words:
        raise errors.usage("collect: FILE is missing; accepted is a file, a serial device, or - for stdin")
    name = arguments.words[0]
    fd = _open(name)
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        raise errors.usage(f"collect {name}: is a directory; accepted is a file, a serial device, or - for stdin")
    if os.isatty(fd) and name != "-":
        _raw(fd)
    keep = results.directory(arguments.output) if arguments.output or not stat.S_ISREG(os.fstat(fd).st_mode) else None
    scanner, items, progress = records.Scanner(), [], Progress()
    serial = open(keep / "serial.log", "wb", buffering=0) if keep else open(os.devnull, "wb")
    with serial:
        for data in _chunks(fd, lambda: any(isinstance(i, records.Record) and i.type == "end" for i in items)):
            serial.write(data)
            for item in scanner.feed(data):
                items.append(item)
                if isinstance(item, str):
                    progress.saw(item)
            if keep:
                progress.tick()
    progress.done()
    log = records.judge(items + scanner.end())
    if keep:
        results.write(log, keep)
    results.show(log)
    return results.status(log)
