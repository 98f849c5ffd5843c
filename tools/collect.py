# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab collect SOURCE`: the records of a run out of a serial line while it comes in, or out of a log of it.

The bytes are kept as they came in serial.log before anything else is done with them, and when they came in serial.times. A link
that breaks is opened again; a machine that starts again begins another run. After its end record the kernel listens (listen=): what
is missing is asked for.
"""

import datetime
import os
import signal
import sys
import time

import cli
import errors
import ktap
import records
import results
import runs
import sources
from cli import Option
from progress import Progress

OPTIONS = [
    Option("--output", "directory for the results (default: results/<time>/; none for a log or stdin)", "DIR"),
    Option("--follow", "the file grows: go on at its end, until the run ends"),
    Option("--timeout", "give up after S seconds without a byte (default: never)", "S", cli.number(1, 1 << 20)),
    Option("--ktap", "print the guest's tests as KTAP, and no table"),
]

QUIET = 5  # seconds of silence after an end record: a resend would have begun
RETRY = 1  # seconds between attempts to open a source again
SETTLE = 0.3  # seconds from an end record to a request: the kernel receives nothing while it sends
ASKS = 8  # requests for one run
RANGES = 12  # in one request; the kernel takes 128 characters


class Keep:
    """
    serial.log, the line's bytes, and serial.times, lines `OFFSET TIME EVENT`: what came at which byte of it, in UTC. Unbuffered:
    what has come survives whatever ends us.
    """

    def __init__(self, path):
        self.offset = 0
        self.log = open(path / "serial.log", "wb", buffering=0)
        self.times = open(path / "serial.times", "w", buffering=1, encoding="ascii", errors="replace")

    def event(self, text):
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
        self.times.write(f"{self.offset} {now} {text}\n")

    def bytes(self, data):
        self.event(f"{len(data)} bytes")
        self.log.write(data)
        self.offset += len(data)


class Nowhere:
    def event(self, text):
        pass

    def bytes(self, data):
        pass


class Collector:
    """Reads `source` until the run has ended, the source has, or nothing comes for `timeout` seconds (None: for ever)."""

    def __init__(self, source, keep, timeout, clock=time.monotonic):
        self.source, self.keep, self.timeout, self.clock = source, keep, timeout, clock
        self.scanner, self.items, self.progress = records.Scanner(), [], Progress()
        self.last_byte = clock()
        self.end = None  # the last end record, while nothing else has come after it; None: the run goes on
        self.ended_at = self.ask_at = None
        self.asked, self.begun = 0, None  # requests; record 0 of the run

    def problem(self, text):
        self.progress.done()
        print(f"tlblab: {text}", file=sys.stderr)

    def run(self):
        """None, or why it ended too early."""
        self._open(first=True)
        while True:
            try:
                data = self.source.read(0.1)
            except sources.Lost as lost:
                self.keep.event(f"lost: {lost}")
                if not self.source.lasting or self._complete():
                    return None
                self.problem(f"{self.source.name}: {lost}; opening it again")
                if not self._again():
                    return f"{self.source.name} did not come back in {self.timeout} s"
                continue
            if data:
                self._take(data)
            over, why = self._over()
            if over:
                return why
            if self.source.lasting:
                self.progress.tick()

    def _open(self, first=False):
        try:
            self.source.open()
        except OSError as error:
            if first:
                raise errors.Error(f"collect {self.source.name}: {error.strerror or error}")
            return False
        self.keep.event("opened")
        return True

    def _again(self):
        self.source.close()
        while self.timeout is None or self.clock() - self.last_byte < self.timeout:
            time.sleep(RETRY)
            if self._open():
                return True
        return False

    def _take(self, data):
        self.last_byte = self.clock()
        self.keep.bytes(data)
        for item in self.scanner.feed(data):
            self.items.append(item)
            self.progress.saw(item)
            if not isinstance(item, records.Record):
                continue
            if item.seq == 0 and item.text != self.begun:
                self.asked, self.begun = 0, item.text
            self.end = item if item.type == "end" else None
            if self.end:
                self.ended_at = self.last_byte
                self.ask_at = self.last_byte + SETTLE

    def _lacks(self):
        return runs.split(self.items)[-1].missing

    def _complete(self):
        return bool(self.end) and not self._lacks()

    def _over(self):
        """(is it over?, why too early): the silence is looked at, and what is missing is asked for."""
        now = self.clock()
        if self.ask_at and now >= self.ask_at and self.end:
            self.ask_at = None
            missing = self._lacks()
            if not missing and self.source.lasting:
                return True, None
            self._ask(missing)
        silent = now - self.last_byte
        if self.end and self.source.lasting and (silent > QUIET or now - self.ended_at > QUIET and self.asked >= ASKS):
            return True, None
        if self.timeout is not None and silent > self.timeout:
            return True, f"no byte came for {self.timeout} s"
        return False, None

    def _ask(self, missing):
        if not missing or not self.source.two_way or not self.end.get("listen") or self.asked >= ASKS:
            return
        text = ",".join(runs.ranges(missing).split(",")[:RANGES])
        self.asked += 1
        self.keep.event(f"asked for {text}")
        self.source.write(f"resend {text}\r".encode())


def _show(logs, arguments, keep):
    """All runs, each with its results; the worst status of all."""
    status = errors.OK
    for number, log in enumerate(logs, 1):
        path = keep
        if len(logs) > 1:
            out = sys.stderr if arguments.ktap else sys.stdout
            print(f"run {number} of {len(logs)}, from line {log.first_line}", file=out, flush=True)
            path = keep and keep / f"run-{number}"
        if path:
            path.mkdir(exist_ok=True)
            results.write(log, path)
        if arguments.ktap:
            print("\n".join(ktap.lines(log)), flush=True)
            results.show_problems(log)
        else:
            results.show(log)
        status = errors.worst(status, results.status(log))
    return status


def collect(arguments):
    if not arguments.words:
        raise errors.usage(f"collect: SOURCE is missing; accepted is {sources.ACCEPTED}")
    source = sources.source(arguments.words[0], arguments.follow)
    path = results.directory(arguments.output) if arguments.output or source.lasting else None
    collector = Collector(source, Keep(path) if path else Nowhere(), arguments.timeout)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        early = collector.run()
    except KeyboardInterrupt:
        early = "interrupted; what came until then is kept"
    finally:
        source.close()
        signal.signal(signal.SIGTERM, before)
    collector.progress.done()
    status = _show(runs.split(collector.items + collector.scanner.end()), arguments, path)
    if early:
        print(f"tlblab: {early}", file=sys.stderr)
        status = errors.worst(status, errors.INCOMPLETE)
    if path:
        print(f"results in {os.path.relpath(path)}/", file=sys.stderr)
    return status
