# SPDX-License-Identifier: BSD-2-Clause
"""`collect` on live sources: a serial line (a pty), network and unix sockets, a command, a file that grows; as a user starts it."""

import contextlib
import json
import os
import pathlib
import pty
import re
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
from unittest import mock

import common  # first: it makes tools/ importable
import collect
import errors
import runs
import sources
import synthetic

LIMIT = 60  # seconds


def run_lines(begin, listen=0, verdict="ok"):
    """The lines of a run that began at this tick."""
    fields = [dict(f) for f in synthetic.FIELDS]
    fields[0]["begin"] = begin
    fields = synthetic.records(verdict, fields)
    fields[-1] |= {"begin": begin, "listen": listen}
    return [synthetic.wire(n, f) for n, f in enumerate(fields)]


def text(lines):
    return b"".join(line + b"\r\n" for line in lines)


class Kernel(threading.Thread):
    """
    The other end of a line, given as send() and receive(). It sends `parts`, hangs up between them, and answers requests
    as the kernel does.
    """

    def __init__(self, parts, lines, connect):
        super().__init__(daemon=True)
        self.parts, self.lines, self.connect, self.asked = parts, lines, connect, []

    def run(self):
        with contextlib.suppress(OSError):  # collect has gone: it has all it wants
            self.serve()

    def serve(self):
        for n, part in enumerate(self.parts):
            send, receive, close = self.connect()
            send(part)
            while n == len(self.parts) - 1 and (request := receive()):
                for ranges in re.findall(rb"resend ([0-9,-]+)\r", request):
                    self.asked.append(ranges)
                    numbers = []
                    for one in ranges.split(b","):
                        first, _, last = one.partition(b"-")
                        numbers += range(int(first), int(last or first) + 1)
                    send(text([self.lines[n] for n in numbers] + [self.lines[-1]]))
            time.sleep(0.2)
            close()


class Live(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name)
        self.out = self.path / "out"

    def collect(self, *words, **more):
        command = [sys.executable, str(common.TOP / "tools" / "main.py"), "collect", "--output", str(self.out), *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def kept(self, name, what):
        """Waits until this file of the results has it."""
        for _ in range(10 * LIMIT):
            if (self.out / name).exists() and what in (self.out / name).read_text(errors="replace"):
                return
            time.sleep(0.1)
        self.fail(f"{name} never had {what}")

    def ends(self, process, status):
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, status, err)
        return out, err

    def numbers(self, where="."):
        lines = (self.out / where / "records.jsonl").read_text().splitlines()
        return [json.loads(line)["type"] for line in lines]

    def listen(self, family, address):
        server = socket.socket(family)
        self.addCleanup(server.close)
        server.bind(address)
        server.listen(1)

        def connect():
            client = server.accept()[0]
            return client.sendall, lambda: client.recv(1000), client.close

        return server, connect

    def test_what_is_missing_is_asked_for(self):
        lines = run_lines(1, listen=5)
        _, connect = self.listen(socket.AF_UNIX, str(self.path / "s"))
        kernel = Kernel([text(lines[:2] + lines[5:7] + lines[8:])], lines, connect)
        kernel.start()
        _, err = self.ends(self.collect(f"unix:{self.path}/s"), errors.OK)
        self.assertEqual(kernel.asked, [b"2-4,7"])
        self.assertIn("sent 2 times", err)
        self.assertEqual(len(self.numbers()), len(lines))
        self.assertIn("asked for 2-4,7", (self.out / "serial.times").read_text())

    def test_nothing_is_typed_where_nobody_listens(self):
        lines = run_lines(1, listen=0)
        _, connect = self.listen(socket.AF_UNIX, str(self.path / "s"))
        kernel = Kernel([text(lines[:4] + lines[5:])], lines, connect)
        kernel.start()
        one = collect.Collector(sources.source(f"unix:{self.path}/s", False), collect.Nowhere(), None)
        with mock.patch.object(collect, "QUIET", 0.5), mock.patch.object(collect, "SETTLE", 0.1):
            self.assertIsNone(one.run())
        one.source.close()
        self.assertEqual((kernel.asked, runs.split(one.items)[0].missing), ([], [4]))

    def test_a_terminal_server_that_hangs_up_and_a_reboot(self):
        """Telnet's offers are turned down, its commands are no part of the line; two boots are two runs."""
        lines, again = text(run_lines(1)), text(run_lines(2))
        telnet = b"\xff\xfb\x01\xff\xfd\x03" + lines[:700] + b"\xff\xfa\x18\x01\xff\xf0" + lines[700:900] + b"\xff"
        server, connect = self.listen(socket.AF_INET, ("127.0.0.1", 0))
        kernel = Kernel([telnet, b"BIOS\xff\xff\r\n" + again], [], connect)
        kernel.start()
        out, err = self.ends(self.collect(f"tcp:127.0.0.1:{server.getsockname()[1]}"), errors.INCOMPLETE)
        self.assertIn("run 2 of 2", out)
        self.assertIn("opening it again", err)
        self.assertIn("there is no end record", err)
        self.assertEqual((self.out / "serial.log").read_bytes(), lines[:900] + b"BIOS\xff\r\n" + again)
        self.assertEqual(self.numbers("run-2")[-1], "end")
        self.assertNotIn("end", self.numbers("run-1"))
        times = (self.out / "serial.times").read_text().splitlines()
        self.assertEqual([line.split()[2] for line in times if "bytes" not in line].count("opened"), 2)
        offset = 0
        for line in times:
            where, _, event = line.split(" ", 2)
            self.assertEqual(int(where), offset)
            offset += int(event.split()[0]) if event.endswith(" bytes") else 0

    def test_a_serial_device_at_a_speed(self):
        lines = run_lines(1, listen=5)
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        path = os.ttyname(slave)
        kernel = Kernel([text(lines[:3] + lines[4:])], lines, lambda: (
            lambda data: os.write(master, data), lambda: os.read(master, 100), lambda: None))
        process = self.collect(f"{path},57600")
        self.kept("serial.times", "opened")
        kernel.start()
        self.ends(process, errors.OK)
        self.assertEqual(termios.tcgetattr(slave)[4:6], [termios.B57600] * 2)
        os.close(slave)
        self.assertEqual(kernel.asked, [b"3"])

    def test_a_command(self):
        lines = run_lines(1, verdict="failed")
        (self.path / "a").write_bytes(text(lines[:4]))
        (self.path / "b").write_bytes(text(lines[4:]))
        # The session drops once, and goes on when it is started again.
        script = f"cd {self.path}; if [ -e once ]; then cat b; sleep 9; else touch once; cat a; exit 7; fi"
        _, err = self.ends(self.collect(f"exec:sh -c '{script}'"), errors.FAILED)
        self.assertIn("ended with status 7; opening it again", err)
        self.assertEqual(len(self.numbers()), len(lines))

    def test_a_file_that_grows(self):
        lines, log = text(run_lines(1)), self.path / "log"
        log.write_bytes(lines[:400])
        process = self.collect("--follow", str(log))
        self.kept("serial.log", "@tlblab 0")
        with open(log, "ab") as file:
            for at in range(400, len(lines), 300):
                file.write(lines[at : at + 300])
                file.flush()
                time.sleep(0.05)
        self.ends(process, errors.OK)

    def test_silence(self):
        log = self.path / "log"
        log.write_bytes(text(run_lines(1)[:4]))
        _, err = self.ends(self.collect("--follow", "--timeout", "1", str(log)), errors.INCOMPLETE)
        self.assertIn("no byte came for 1 s", err)

    def test_interrupted(self):
        log = self.path / "log"
        log.write_bytes(text(run_lines(1)[:4]))
        process = self.collect("--follow", str(log))
        self.kept("serial.log", "@tlblab 3")
        process.send_signal(signal.SIGTERM)
        _, err = self.ends(process, errors.INCOMPLETE)
        self.assertIn("interrupted", err)
        self.assertEqual(len(self.numbers()), 4)

    def test_what_cannot_be_opened(self):
        status, _, err = common.tlblab("collect", f"unix:{self.path}/none")
        self.assertEqual((status, err.count("\n")), (errors.ERROR, 1), err)
        self.assertIn("No such file", err)

    def test_ktap(self):
        fields = synthetic.FIELDS + [
            {"type": "test", "test": "b", "strategy": "lazy", "result": "not ok", "detail": "CPU 1 # read"},
            {"type": "test", "test": "c", "strategy": "lazy", "result": "skip", "detail": "needs 3 CPUs"},
            {"type": "sabotage", "test": "b", "sabotage": "none", "rounds": 10, "caught": 3, "result": "missed"},
            {"type": "sabotage", "test": "b", "sabotage": "tags", "rounds": 0, "caught": 0, "result": "unproven"}]
        lines = synthetic.lines("failed", fields)
        holes = lines[:2] + lines[3:]
        for given, status, last in ((lines, errors.FAILED, "not ok 7 run"), (holes, errors.INCOMPLETE, "not ok 7 run"),
                                    (synthetic.lines(), errors.OK, "ok 3 run")):
            got, out, _ = common.tlblab("collect", "--ktap", "-", stdin=synthetic.log(given))
            self.assertEqual(got, status)
            self.assertEqual(ktap_failures(out), [] if status == errors.OK else ["b under lazy", "b sees none", "run"])
            self.assertIn(last, out.splitlines()[-1])


def ktap_failures(out):
    """Checks that it is KTAP version 1 (Linux, Documentation/dev-tools/ktap.rst): version, plan, numbers. Returns what failed."""
    version, plan, *rest = out.splitlines()
    assert version == "KTAP version 1", version
    results = [line for line in rest if not line.startswith("#")]
    assert plan == f"1..{len(results)}", plan
    failed = []
    for number, line in enumerate(results, 1):
        match = re.fullmatch(r"(ok|not ok) (\d+) ([^#]*?)(?: # (?:SKIP )?[^#]*)?", line)
        assert match and int(match[2]) == number, line
        assert match[1] == "ok" or " # SKIP" not in line, line
        failed += [match[3]] if match[1] == "not ok" else []
    return failed


class Telnet(unittest.TestCase):
    def strip(self, data, size):
        one, out = sources.Tcp("tcp:", socket.AF_INET, ("", 0)), b""
        one.rest, answers = b"", []
        one.write = answers.append
        for at in range(0, len(data), size):
            out += one.strip(data[at : at + size])
        return out, b"".join(answers)

    def test_any_way_of_cutting_the_stream(self):
        data = b"a\xff\xfb\x01b\xff\xffc\xff\xfa\x18\x01\xff\xf0d\xff\xf1e\xff\xfd\x03f"
        for size in range(1, len(data) + 1):
            self.assertEqual(self.strip(data, size), (b"ab\xffcdef", b"\xff\xfe\x01\xff\xfc\x03"), size)

    def test_a_subnegotiation_that_never_ends_takes_nothing_away(self):
        data = b"\xff\xfa" + b"x" * 1000
        for size in (1, 100, 2000):
            self.assertIn(b"x" * 1000, self.strip(data, size)[0])


if __name__ == "__main__":
    unittest.main()
