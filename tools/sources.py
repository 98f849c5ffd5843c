# SPDX-License-Identifier: BSD-2-Clause
"""
Where serial bytes come from: a serial device, a network port, a unix socket, a command, a file that grows, a finished log, stdin.

Each source is opened with open(), which raises OSError, and read with read(seconds): bytes; None if nothing came; Lost if the other
side is gone. One that is `lasting` can be opened again then; one that is `two_way` takes what write() sends.
"""

import os
import pathlib
import pty
import select
import shlex
import shutil
import socket
import stat
import subprocess
import termios
import time
import tty

import errors

ACCEPTED = "a file, a serial device (,BAUD), tcp:HOST:PORT, unix:PATH, exec:COMMAND, or - for stdin"
BAUD = 115200
CHUNK = 1 << 16


class Lost(Exception):
    """Nothing more comes from this opening of the source; says why."""


class Descriptor:
    """What is read from a file descriptor."""

    lasting = two_way = False

    def __init__(self, name):
        self.name, self.fd = name, None

    def open(self):
        raise NotImplementedError

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return None
        try:
            data = os.read(self.fd, CHUNK)
        except OSError as error:  # a pty's or a USB device's way to say that the other side has gone
            raise Lost(error.strerror)
        if not data:
            raise Lost("end of file")
        return data

    def write(self, data):
        try:
            os.write(self.fd, data)
        except OSError:
            pass  # reading will say it

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


class Stdin(Descriptor):
    def open(self):
        self.fd = os.dup(0)


class File(Descriptor):
    """A finished log, or a FIFO."""

    def open(self):
        self.fd = os.open(self.name, os.O_RDONLY)


class Growing(File):
    """A file that another program writes; it may be emptied or replaced, which begins it anew."""

    lasting = True

    def read(self, seconds):
        data = os.read(self.fd, CHUNK)
        if data:
            return data
        mine = os.fstat(self.fd)
        try:
            now = os.stat(self.name)
        except OSError:
            raise Lost("the file is gone")
        if now.st_ino != mine.st_ino or now.st_size < os.lseek(self.fd, 0, os.SEEK_CUR):
            raise Lost("the file was begun anew")
        time.sleep(seconds)
        return None


class Tty(Descriptor):
    """A serial device at a speed: 8 data bits, no parity, nobody else reads it, and what comes is not touched."""

    lasting = two_way = True

    def __init__(self, name, baud):
        super().__init__(name)
        self.speed = getattr(termios, f"B{baud}")

    def open(self):
        fd = os.open(self.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)  # not to wait for a carrier
        try:
            tty.setraw(fd, termios.TCSANOW)
            mode = termios.tcgetattr(fd)
            mode[2] = mode[2] & ~(termios.CSTOPB | termios.CRTSCTS | termios.HUPCL) | termios.CLOCAL | termios.CREAD
            mode[4] = mode[5] = self.speed
            termios.tcsetattr(fd, termios.TCSANOW, mode)
        except termios.error as error:
            os.close(fd)
            raise OSError(*error.args)
        self.fd = fd


class Socket(Descriptor):
    """A connection of a stream socket."""

    lasting = two_way = True

    def __init__(self, name, family, address):
        super().__init__(name)
        self.family, self.address = family, address

    def open(self):
        if self.family == socket.AF_UNIX:
            with socket.socket(self.family, socket.SOCK_STREAM) as one:
                one.connect(self.address)
                self.fd = one.detach()
        else:
            self.fd = socket.create_connection(self.address, 10).detach()
            os.set_blocking(self.fd, True)


class Tcp(Socket):
    """A terminal server's port. Telnet's commands (RFC 854) are taken out, and every offer is turned down."""

    IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
    LONGEST = 256  # of a subnegotiation: a raw port may send the byte that begins one as noise

    def open(self):
        super().open()
        self.rest = b""

    def read(self, seconds):
        data = super().read(seconds)
        return data and self.strip(data)

    def strip(self, data):
        """The bytes of the line; an unfinished command waits for what comes next."""
        data, self.rest, out, at = self.rest + data, b"", bytearray(), 0
        while at < len(data):
            found = data.find(self.IAC, at)
            if found < 0:
                found = len(data)
            out += data[at:found]
            n = self._command(data, found)
            if n is None:
                self.rest = data[found:]
                break
            if data[found : found + n] == bytes([self.IAC] * 2):
                out.append(self.IAC)
            at = found + n
        return bytes(out)

    def _command(self, data, at):
        """How long the command at `at` is; None: its end hasn't come."""
        if at == len(data):
            return 0
        if len(data) < at + 2:
            return None
        what = data[at + 1]
        if what == self.SB:
            end = data.find(bytes([self.IAC, self.SE]), at, at + self.LONGEST)
            if end >= 0:
                return end + 2 - at
            return None if len(data) < at + self.LONGEST else 2
        if what not in (self.DO, self.DONT, self.WILL, self.WONT):
            return 2
        if len(data) < at + 3:
            return None
        if what in (self.DO, self.WILL):
            self.write(bytes([self.IAC, self.WONT if what == self.DO else self.DONT, data[at + 2]]))
        return 3


class Exec(Descriptor):
    """A command that shows a console, such as ipmitool's sol activate: it gets a terminal of its own. Its errors go to ours."""

    lasting = two_way = True

    def __init__(self, name, words):
        super().__init__(name)
        self.words, self.process = words, None

    def open(self):
        self.fd, its = pty.openpty()
        try:
            tty.setraw(its)
            self.process = subprocess.Popen(self.words, stdin=its, stdout=its, start_new_session=True)
        finally:
            os.close(its)

    def read(self, seconds):
        try:
            return super().read(seconds)
        except Lost:
            raise Lost(f"the command ended with status {self.process.wait()}")

    def close(self):
        super().close()  # hangs up
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def _wrong(name, why):
    return errors.usage(f"collect {name}: {why}; accepted is {ACCEPTED}")


def _tcp(name):
    host, _, port = name[len("tcp:") :].rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise _wrong(name, "it takes a host and a port from 1 to 65535")
    return Tcp(name, socket.AF_INET, (host.strip("[]"), int(port)))


def _exec(name):
    try:
        words = shlex.split(name[len("exec:") :])
    except ValueError as error:
        raise _wrong(name, str(error))
    if not words or not shutil.which(words[0]):
        raise _wrong(name, f"there is no command {words[0] if words else ''}".rstrip())
    return Exec(name, words)


def _tty(name, path, baud):
    if not baud.isdecimal() or not hasattr(termios, f"B{int(baud)}"):
        speeds = sorted(int(n[1:]) for n in dir(termios) if n[0] == "B" and n[1:].isdecimal() and int(n[1:]) >= 1200)
        raise errors.usage(f"collect {name}: speed {baud}: accepted are {', '.join(map(str, speeds))}")
    return Tty(path, int(baud))


def source(name, follow):
    """The source that is called so; `follow`: a file grows. What is wrong with the name is a usage Error."""
    if name == "-":
        return Stdin(name)
    if name.startswith("tcp:"):
        return _tcp(name)
    if name.startswith("unix:"):
        return Socket(name, socket.AF_UNIX, name[len("unix:") :])
    if name.startswith("exec:"):
        return _exec(name)
    path, comma, baud = name.partition(",") if not pathlib.Path(name).exists() else (name, "", "")
    try:
        kind = os.stat(path).st_mode
    except OSError as error:
        raise _wrong(name, error.strerror)
    if stat.S_ISDIR(kind):
        raise _wrong(name, "is a directory")
    if stat.S_ISSOCK(kind):
        raise _wrong(name, f"is a socket, unix:{path}")
    if stat.S_ISCHR(kind):
        return _tty(name, path, baud if comma else str(BAUD))
    if comma:
        raise _wrong(name, f"{path} is no serial device and has no speed")
    return Growing(name) if follow else File(name)
