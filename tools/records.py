# SPDX-License-Identifier: BSD-2-Clause
"""
Records out of what came over a serial line (the format is described in lib/record.h).

Two steps. Scanner, here, finds the records in the raw bytes and tells damaged ones from everything else that a console shows:
firmware, GRUB, terminal escapes, the kernel's own prose. runs.py looks at the whole sequence, and names every record that is
missing, doubled, out of order or damaged. Nothing is dropped silently; nothing that is not a record makes an error.
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
