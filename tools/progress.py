# SPDX-License-Identifier: BSD-2-Clause
"""
The live line: what runs, how far, how long still. The kernel prints `progress DONE TOTAL text` before each cell, DONE counting the
finished ones. On a terminal one line is rewritten; elsewhere a plain line comes every ten seconds.
"""

import re
import shutil
import sys
import time

LINE = re.compile(r"progress (\d+) (\d+) ?(.*)")
PLAIN_EVERY = 10  # seconds


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds // 60:.0f} min {seconds % 60:02.0f} s"


class Progress:
    def __init__(self, out=sys.stderr, clock=time.monotonic):
        self.out, self.clock = out, clock
        self.live = out.isatty()
        self.start = clock()
        self.first = None  # (time, DONE) of the first progress line: what came before says nothing about the pace
        self.shown = self.start
        self.text = "booting"
        self.left = None  # when it should be ready

    def saw(self, line):
        """A line of the kernel's own text."""
        match = LINE.fullmatch(line.strip())
        if not match:
            return
        done, total, what = int(match[1]), int(match[2]), match[3]
        now = self.clock()
        self.first = self.first or (now, done)
        since, before = self.first
        self.left = None
        if done > before and total >= done:
            self.left = now + (now - since) * (total - done) / (done - before)
        self.text = f"{done}/{total} {what}"

    def tick(self):
        """Called often; shows what there is to show."""
        now = self.clock()
        if not self.live and now - self.shown < PLAIN_EVERY:
            return
        if self.live and now - self.shown < 0.1:
            return
        self.shown = now
        text = f"{duration(now - self.start)}  {self.text}"
        if self.left is not None:
            text += f", about {duration(max(0, self.left - now))} left"
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
