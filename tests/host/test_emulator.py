# SPDX-License-Identifier: BSD-2-Clause
"""How a run is watched, with a shell script in the emulator's place."""

import os
import pathlib
import signal
import tempfile
import threading
import unittest

import common  # noqa: F401
import emulator
import errors
import qemu
import records
import runs
import synthetic


class Script(qemu.Machine):
    """A shell script, with QEMU's exit statuses."""

    def __init__(self, text):
        self.text = text

    def command(self):
        return ["/bin/sh", "-c", self.text]


class Run(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "serial.log"

    def test_every_byte_is_kept_in_order(self):
        data = synthetic.log() * 200
        source = self.path.with_name("in")
        source.write_bytes(data)
        got = []
        outcome = emulator.run(Script(f"cat {source}; exit 33"), self.path, on_bytes=got.append)
        self.assertEqual((outcome.status, outcome.ended, outcome.left.verdict), (33, None, "ok"))
        self.assertEqual(self.path.read_bytes(), data)
        self.assertEqual(b"".join(got), data)

    def test_silence_ends_it(self):
        outcome = emulator.run(Script("echo hello; exec sleep 60"), self.path, timeout=lambda: 1)
        self.assertEqual((outcome.status, outcome.ended), (None, "silence"))
        self.assertLess(outcome.seconds, 5)
        self.assertEqual(self.path.read_bytes(), b"hello\n")

    def test_output_is_no_silence_but_there_is_a_limit(self):
        outcome = emulator.run(Script("while sleep 0.2; do echo x; done"), self.path, timeout=lambda: 1, limit=2)
        self.assertEqual(outcome.ended, "limit")
        self.assertGreater(outcome.seconds, 1.9)

    def test_a_deaf_process_is_killed(self):
        emulator.STOP_WAIT = 0.5
        self.addCleanup(setattr, emulator, "STOP_WAIT", 5)
        outcome = emulator.run(Script("trap '' TERM; echo x; while :; do sleep 0.1; done"), self.path, timeout=lambda: 0.5)
        self.assertEqual(outcome.ended, "silence")

    def test_interrupt_keeps_what_came(self):
        # A shell that starts the tests in the background has SIGINT ignored, which is inherited.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        for number in (signal.SIGINT, signal.SIGTERM):
            timer = threading.Timer(0.7, os.kill, (os.getpid(), number))
            timer.start()
            outcome = emulator.run(Script("echo first; exec sleep 60"), self.path)
            self.assertEqual((outcome.ended, self.path.read_bytes()), ("interrupt", b"first\n"))
            timer.join()

    def test_its_errors_are_kept_apart(self):
        outcome = emulator.run(Script("echo out; echo oops >&2; exit 1"), self.path)
        self.assertEqual((outcome.left.message, outcome.status, outcome.left.good), ("oops", 1, False))
        self.assertEqual([p.name for p in self.path.parent.iterdir()], ["serial.log"])

    def test_no_such_program(self):
        class Missing(Script):
            def command(self):
                return ["/nonexistent/qemu"]

        with self.assertRaises(errors.Error):
            emulator.run(Missing(""), self.path)

    def test_what_came_before_the_end_is_judged(self):
        emulator.run(Script("echo '" + synthetic.lines()[0].decode() + "'; exit 1"), self.path)
        log = runs.judge(records.scan(self.path.read_bytes()))
        self.assertEqual(log.problems, ["there is no end record; the last one is 0"])


if __name__ == "__main__":
    unittest.main()
