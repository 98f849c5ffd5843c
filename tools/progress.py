# SPDX-License-Identifier: BSD-2-Clause
"""
The live line: what runs, how far, how long still. The kernel's record `plan` says how many tests, sabotages and results will come;
those that have come say how far it is, the pace of their kind how long it takes. Its text `progress DONE TOTAL WHAT` names the cell
that runs. On a terminal one line is rewritten; elsewhere a plain line comes every ten seconds.
"""

import re
import shutil
import sys
import time

from records import Record

LINE = re.compile(r"progress \d+ \d+ ?(.*)")
PLAIN_EVERY = 10  # seconds
PHASES = {"test": ("tests", "test"), "sabotage": ("sabotages", "sabotage"), "result": ("results", "bench")}  # plan's field, name's


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds // 60:.0f} min {seconds % 60:02.0f} s"


class Progress:
    def __init__(self, out=sys.stderr, clock=time.monotonic):
        self.out, self.clock = out, clock
        self.live = out.isatty()
        self.start = self.shown = clock()
        self._begin(None)

    def _begin(self, record):
        """A run: what came before says nothing about it."""
        self.plan, self.done_of = {}, dict.fromkeys(PHASES, 0)
        self.phase, self.since = None, self.clock()  # kind of what comes now, and since when
        self.before = self.since  # when the last of any kind came
        self.text, self.cell = "booting" if record else "waiting", ""
        self.left = None  # when what comes now should be ready

    def saw(self, item):
        """Anything that the scanner found."""
        if isinstance(item, Record):
            self._record(item)
        elif isinstance(item, str) and (match := LINE.fullmatch(item.strip())):
            self.cell = match[1]

    def _record(self, record):
        if record.seq == 0:
            self._begin(record)
        elif record.type == "plan":
            self.plan = record.fields
            self.before = self.clock()
        elif record.type == "end":
            self.text, self.left = f"ended, verdict {record.get('verdict')}", None
        elif record.type in PHASES:
            self._count(record)

    def _count(self, record):
        now, (field, name) = self.clock(), PHASES[record.type]
        self.done_of[record.type] += 1
        done, total = self.done_of[record.type], self.plan.get(field, 0)
        if self.phase != record.type:
            self.phase, self.since = record.type, self.before
        self.before = now
        self.left = now + (now - self.since) * (total - done) / done if total >= done else None
        what = self.cell if record.type == "result" and self.cell else record.get(name)
        self.text = f"{field} {done}/{total or '?'} {what}"

    def tick(self):
        """Called often; shows what there is to show."""
        now = self.clock()
        if now - self.shown < (0.1 if self.live else PLAIN_EVERY):
            return
        self.shown = now
        text = f"{duration(now - self.start)}  {self.text}"
        if self.left is not None:
            text += f", about {duration(max(0, self.left - now))} left of them"
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.out.write("\r\x1b[K" + text[:width])
        else:
            self.out.write(text + "\n")
        self.out.flush()

    def done(self):
        """Takes the live line away."""
        if self.live:
            self.out.write("\r\x1b[K")
            self.out.flush()
