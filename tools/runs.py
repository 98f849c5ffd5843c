# SPDX-License-Identifier: BSD-2-Clause
"""
A sequence of records and damaged ones, as records.Scanner finds them, put together again: which run each belongs to, and what
each run lacks.

Within one sending numbers only grow. Where they fall, the kernel sends again (resend=1, or because it was asked to), or the machine
has started anew, or the line has mixed something up. The contents say which: what contradicts the run so far, number by number, is
another run. Record 0 and the end record carry the clock's reading at the start of their run, so two runs of one image on one
machine differ there. Whatever is sent again ends with the end record, so that a second run that breaks off is not taken for it.
"""

from records import Damaged, Record


class Log:
    """One run: `records` in order, one per number; `problems`, one line each; `notes` on what was repaired; `missing` numbers."""

    def __init__(self):
        self.records, self.problems, self.notes, self.missing = [], [], [], []
        self.first_line = 0  # of the console log

    def of_type(self, kind):
        return [r for r in self.records if r.type == kind]

    def first(self, kind):
        return next(iter(self.of_type(kind)), None)

    @property
    def verdict(self):
        end = self.first("end")
        return end.get("verdict") if end else None


def ranges(numbers):
    """[1, 2, 3, 7] -> "1-3,7"."""
    out = []
    for n in sorted(numbers):
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in out)


class _Stretch:
    """Records whose numbers grow, and the damaged ones between them."""

    def __init__(self):
        self.records, self.damaged = [], []

    @property
    def ended(self):
        return bool(self.records) and self.records[-1].type == "end"


def _stretches(items):
    """A damaged record stands where it came; if it claims not to go on from the record before it, with what follows."""
    out, held = [_Stretch()], []
    for item in items:
        now = out[-1]
        if isinstance(item, Damaged):
            goes_on = not now.records or (not now.ended if item.seq is None else item.seq > now.records[-1].seq)
            (now.damaged if goes_on and not held else held).append(item)
        elif isinstance(item, Record):
            if now.records and item.seq <= now.records[-1].seq:
                out.append(_Stretch())
            out[-1].damaged += held
            out[-1].records.append(item)
            held = []
    out[-1].damaged += held
    return [s for s in out if s.records or s.damaged]


class _Run:
    """Stretches that don't contradict each other."""

    def __init__(self):
        self.known, self.damaged, self.order, self.broken_off = {}, [], [], []
        self.passes, self.ended, self.last = 0, False, -1

    def is_another(self, stretch):
        """Does this stretch belong to another run?"""
        if any(r.seq in self.known and r.text != self.known[r.seq].text for r in stretch.records):
            return True
        # The beginning of this run was lost, it broke off, and then one with a beginning sends the same again.
        begins = stretch.records and stretch.records[0].seq == 0 and 0 not in self.known
        return bool(begins and not self.ended and any(r.seq in self.known for r in stretch.records))

    def _sent_again(self, stretch):
        """After an end record; or, where that was lost, from record 0 on, with a second one that is known."""
        first, second = (stretch.records + [None, None])[:2]
        return self.ended or (first.seq == 0 and 0 in self.known and second is not None and second.seq in self.known)

    def add(self, stretch):
        self.damaged += stretch.damaged
        if not stretch.records:
            return
        if not self.passes or self._sent_again(stretch):
            self.passes += 1
            if self.ended and not stretch.ended and stretch.records[0].seq != 0:
                self.broken_off.append(stretch)
        else:
            self._disorder(stretch)
        for record in stretch.records:
            self.known.setdefault(record.seq, record)
        self.ended = self.ended or stretch.ended
        self.last = max(self.last, stretch.records[-1].seq)

    def _disorder(self, stretch):
        """Two of a number, or a number behind a greater one, in one sending: the line has mixed it up."""
        for record in stretch.records:
            if record.seq in self.known:
                self.order.append(f"record {record.seq} is doubled (line {record.line})")
            elif record.seq < self.last:
                self.order.append(f"record {record.seq} is out of order, after record {self.last} (line {record.line})")

    def log(self):
        log = Log()
        log.records = [self.known[n] for n in sorted(self.known)]
        log.first_line = min([r.line for r in log.records] + [d.line for d in self.damaged], default=0)
        end, last = log.first("end"), max(self.known, default=-1)
        count = end.seq + 1 if end else last + 1
        log.missing = sorted(set(range(count)) - set(self.known))
        log.problems += self.order
        for item in self.damaged:
            name = "a record" if item.seq is None else f"record {item.seq}"
            repaired = self.passes > 1 and not log.missing and end
            (log.notes if repaired else log.problems).append(f"{name} is damaged (line {item.line})")
        for stretch in self.broken_off:
            text = ranges(r.seq for r in stretch.records).replace(",", ", ")
            log.problems.append(f"after the end came {text} again without an end: another run that broke off, or a resend")
        log.problems += self._lacks(log, end, last, count)
        if self.passes > 1:
            log.notes.append(f"records were sent {self.passes} times")
        return log

    def _lacks(self, log, end, last, count):
        if not self.known:
            return ["there are no records"]
        out = []
        begins = {r.get("begin") for r in (log.records[0], end) if r and r.type in ("start", "end")} - {None}
        if len(begins) > 1:
            out.append("record 0 and the end record are of different runs")
        if log.missing:
            plural = "s" if len(log.missing) > 1 else ""
            out.append(f"record{plural} {ranges(log.missing).replace(',', ', ')} missing")
        if not end:
            return out + [f"there is no end record; the last one is {last}"]
        if end.get("records") != count:
            out.append(f"the end record {end.seq} counts {end.get('records')} records instead of {count}")
        if last != end.seq:
            out.append(f"record {last} comes after the end record {end.seq}")
        return out


def split(items):
    """The Logs of all runs in a sequence, at least one; what is neither a record nor a damaged one is passed over."""
    out = [_Run()]
    for stretch in _stretches(items):
        if out[-1].passes and out[-1].is_another(stretch):
            out.append(_Run())
        out[-1].add(stretch)
    return [run.log() for run in out]


def judge(items):
    """The Log of what should be one run; that there is another behind it is a problem."""
    first, *others = split(items)
    first.problems += [f"another run begins at line {other.first_line}" for other in others]
    return first
