# SPDX-License-Identifier: BSD-2-Clause
"""
Records out of what came over a serial line (the format is described in lib/record.h).

Two steps. Scanner finds the records in the raw bytes and tells damaged ones from everything else that a console shows: firmware,
GRUB, terminal escapes, the kernel's own prose. judge() looks at the whole sequence and names every record that is missing, doubled,
out of order or damaged. Nothing is dropped silently; nothing that is not a record makes an error.
"""

import json
import re

MARK = b"@tlblab "

# CSI sequences, OSC strings, character sets, two-byte escapes: GRUB and firmware write them in front of, and inside, lines.
ESCAPE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()#%*+][ -~]|[ -Z\\^-~])")

# The checksum is what makes a line a record, so a line that has lost its head or its checksum is told by the mark only.
HEAD = re.compile(rb"(0|[1-9][0-9]{0,9}) ([0-9a-f]{8}) (?=\{)")

LINE_MAX = 1 << 20  # bytes without a newline: not a console line, don't keep them all


def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_TABLE = _crc_table()


def crc32c(data):
    """CRC-32C (Castagnoli) of bytes; crc32c(b"123456789") == 0xe3069283."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


class Record:
    """A record that arrived whole: its number, its JSON text and its fields."""

    def __init__(self, seq, text, fields, line):
        self.seq, self.text, self.fields, self.line = seq, text, fields, line

    def __getitem__(self, name):
        return self.fields[name]

    def get(self, name, default=None):
        return self.fields.get(name, default)

    @property
    def type(self):
        return self.fields.get("type", "")


class Damaged:
    """A line that began as a record but isn't one. `seq` is what it claims to be, None if even that can't be read."""

    def __init__(self, seq, line):
        self.seq, self.line = seq, line


class Scanner:
    """Feed it bytes as they come; it returns the records, damaged records and other lines (str) that they complete."""

    def __init__(self):
        self.rest = b""
        self.line = 0

    def feed(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        found = [item for line in lines for item in self._scan(line)]
        if len(self.rest) > LINE_MAX:
            found += self.end()
        return found

    def end(self):
        """No more bytes will come: what stands in an unfinished last line."""
        last, self.rest = self.rest, b""
        return self._scan(last) if last else []

    def _scan(self, raw):
        self.line += 1
        text = ESCAPE.sub(b"", raw).replace(b"\r", b"").replace(b"\0", b"")
        noise, *parts = text.split(MARK)
        found = [noise.decode("ascii", "replace")] if noise or not parts else []
        while parts:
            # A string in a record may contain the mark: the longest text that has the right checksum is the record.
            for n in range(len(parts), 0, -1):
                record = self._record(MARK.join(parts[:n]))
                if record:
                    break
            found.append(record or self._damaged(parts[0]))
            parts = parts[n:]
        return found

    def _record(self, text):
        head = HEAD.match(text)
        if not head:
            return None
        body = text[head.end():].rstrip(b" ")
        if crc32c(head[1] + b" " + body) != int(head[2], 16):
            return None
        try:
            fields = json.loads(body)
        except ValueError:
            return None
        return Record(int(head[1]), body.decode("ascii"), fields, self.line) if isinstance(fields, dict) else None

    def _damaged(self, text):
        claim = re.match(rb"(\d{1,10}) ", text)
        return Damaged(int(claim[1]) if claim else None, self.line)


def scan(data):
    """All items of a whole log."""
    scanner = Scanner()
    return scanner.feed(data) + scanner.end()


class Log:
    """What judge() found: `records` in order, one per number; `problems`, one line each; `notes` on what a resend repaired."""

    def __init__(self):
        self.records, self.problems, self.notes = [], [], []

    def of_type(self, kind):
        return [r for r in self.records if r.type == kind]

    def first(self, kind):
        return next(iter(self.of_type(kind)), None)

    @property
    def verdict(self):
        end = self.first("end")
        return end.get("verdict") if end else None


def _passes(items):
    """
    Cuts the sequence where the kernel began to send all again. After an end record that is at record 0, or at any that is known
    (record 0 may be lost); if the end record itself is lost, at a record 0 behind which known ones follow.
    """
    passes, seen, last = [[]], set(), Record(-1, "", {}, 0)
    records = [i for i in items if isinstance(i, Record)]
    for item, following in zip(records, records[1:] + [None]):
        if last.type == "end":
            again = item.seq == 0 or item.seq in seen - {last.seq}
        else:
            again = item.seq == 0 and 0 in seen - {last.seq} and following and following.seq in seen - {0}
        if again:
            passes.append([])
        passes[-1].append(item)
        seen.add(item.seq)
        last = item
    return passes


def _ranges(numbers):
    """[1, 2, 3, 7] -> "1-3, 7"."""
    out, numbers = [], sorted(numbers)
    for n in numbers:
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in out)


def _order(passes, log):
    """Within one pass numbers only grow; a number always has the same content. Returns the records by number."""
    known = {}
    for one_pass in passes:
        last = -1
        for record in one_pass:
            first = known.setdefault(record.seq, record)
            if first.text != record.text:
                lines = f"lines {first.line} and {record.line}"
                log.problems.append(f"record {record.seq} came twice with different contents ({lines})")
            elif record.seq == last:
                log.problems.append(f"record {record.seq} is doubled (line {record.line})")
            elif record.seq < last:
                log.problems.append(f"record {record.seq} is out of order, after record {last} (line {record.line})")
            last = max(last, record.seq)
    return known


def judge(items):
    """The Log of a sequence of records and damaged records (other items are passed over)."""
    log = Log()
    passes = _passes(items)
    known = _order(passes, log)
    log.records = [known[n] for n in sorted(known)]
    end = log.first("end")
    count = end.seq + 1 if end else max(known, default=-1) + 1
    missing = set(range(count)) - set(known)
    for item in items:
        if isinstance(item, Damaged):
            name = "a record" if item.seq is None else f"record {item.seq}"
            repaired = len(passes) > 1 and not missing and end
            (log.notes if repaired else log.problems).append(f"{name} is damaged (line {item.line})")
    if missing:
        plural = "s" if len(missing) > 1 else ""
        log.problems.append(f"record{plural} {_ranges(missing)} missing")
    if not known:
        log.problems.append("there are no records")
    elif not end:
        log.problems.append(f"there is no end record; the last one is {max(known)}")
    else:
        if end.get("records") != count:
            log.problems.append(f"the end record {end.seq} counts {end.get('records')} records instead of {count}")
        if max(known) != end.seq:
            log.problems.append(f"record {max(known)} comes after the end record {end.seq}")
    if len(passes) > 1:
        log.notes.append(f"the records were sent {len(passes)} times")
    return log
