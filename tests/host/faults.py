# SPDX-License-Identifier: BSD-2-Clause
"""
Random faults of a serial line, put into logs that were recorded (logs/), and what `collect` makes of them. Per log:

- no record comes out that the kernel did not send;
- a run without a problem is a whole one, with nothing of another;
- where the end record came, the numbers of what is missing are named, exactly;
- what a terminal or a console adds between and inside lines is no problem at all.

    python3 tests/host/faults.py SEED COUNT
"""

import functools
import json
import pathlib
import random
import sys

if __name__ == "__main__":
    import common  # noqa: F401
import records
import runs

LOGS = pathlib.Path(__file__).parent / "logs"
ESCAPES = [b"\x1b[31m", b"\x1b[0m", b"\x1b[2J", b"\x1b[01;01H", b"\x1b[?25h", b"\x1b(B", b"\x1b]0;tty\x07", b"\r", b"\0"]
CHATTER = [b"error: no suitable video mode found.", b"[    1.234567] rcu: INFO", b"login: ", b"\xff\xfe\x80 noise", b"@tlblab",
           b"{\"type\":\"end\"}", b"progress 3 9", b"\x1b[1mPress F2\x1b[0m"]


class Log:
    """`truth`: of each run, {number: text}; `whole`: which of them came with their end."""

    def __init__(self, data):
        self.data, logs = data, runs.split(records.scan(data))
        self.truth = [{r.seq: r.text for r in log.records} for log in logs]
        self.whole = [not log.problems for log in logs]


def recorded():
    """The logs: one run; one whose records were sent twice; one that a reset broke off, with the next boot behind it."""
    first, again = (LOGS / name for name in ("x86-bios.log", "x86-bios-again.log"))
    reset = first.read_bytes()[:9000] + again.read_bytes()
    out = [Log(first.read_bytes()), Log((LOGS / "arm64-resend.log").read_bytes()), Log(reset)]
    assert [log.whole for log in out] == [[True], [True], [False, True]]
    return out


# Faults: (random, lines, each with its end) -> lines.


def drop(r, lines):
    at = r.randrange(len(lines))
    return lines[:at] + lines[at + r.choice((1, 1, 1, 2, 5)) :]


def double(r, lines):
    at = r.randrange(len(lines))
    return lines[: at + 1] + lines[max(0, at + 1 - r.choice((1, 1, 3))) :]


def swap(r, lines):
    lines, a = list(lines), r.randrange(len(lines))
    b = r.choice((min(a + 1, len(lines) - 1), r.randrange(len(lines))))
    lines[a], lines[b] = lines[b], lines[a]
    return lines


def change(r, lines):
    data = bytearray(b"".join(lines))
    for _ in range(r.choice((1, 1, 2, 8))):
        data[r.randrange(len(data))] ^= r.choice((1, 2, 4, 8, 16, 32, 64, 128, 255))
    return [bytes(data)]


def change_digit(r, lines):
    """What a careless decoder would not see: a number that is still one."""
    data = bytearray(b"".join(lines))
    at = r.choice([n for n, c in enumerate(data) if 0x30 <= c <= 0x39] or [0])
    data[at] = 0x30 + r.randrange(10)
    return [bytes(data)]


def cut_out(r, lines):
    data = b"".join(lines)
    at = r.randrange(len(data))
    return [data[:at], data[at + r.choice((1, 2, 16, 300, 4000)) :]]


def replay(r, lines):
    data = b"".join(lines)
    at, n = r.randrange(len(data)), r.choice((1, 16, 300, 4000))
    return [data[: at + n], data[at:]]


def truncate(r, lines):
    data = b"".join(lines)
    at = r.randrange(len(data))
    return [data[:at] if r.random() < 0.7 else data[at:]]


def garbage(r, lines):
    data = b"".join(lines)
    at = r.randrange(len(data))
    return [data[:at], r.randbytes(r.choice((1, 2, 7, 64))), data[at:]]


def interleave(r, lines):
    """Somebody else writes in the middle of a line."""
    data = b"".join(lines)
    at = r.randrange(len(data))
    return [data[:at], r.choice((b"", b"\r\n")), r.choice(CHATTER), r.choice((b"", b"\r\n")), data[at:]]


def merge(r, lines):
    """The end of a line is lost."""
    at = r.randrange(len(lines))
    return lines[:at] + [lines[at].rstrip(b"\r\n")] + lines[at + 1 :]


def escapes(r, lines):
    data = b"".join(lines)
    for at in sorted({r.randrange(len(data)) for _ in range(r.choice((1, 3, 20)))}, reverse=True):  # not one within another
        data = data[:at] + r.choice(ESCAPES) + data[at:]
    return [data]


def between(r, lines):
    """Whole lines of others."""
    at = r.randrange(len(lines) + 1)
    return lines[:at] + [r.choice(CHATTER[:2] + CHATTER[5:]) + b"\r\n"] + lines[at:]


HARMLESS = (escapes, between)
FAULTS = (drop, double, swap, change, change_digit, cut_out, replay, truncate, garbage, interleave, merge) + HARMLESS


def spoiled(r, log):
    """(faults, bytes): one to four faults."""
    kinds = [r.choice(FAULTS) for _ in range(r.choice((1, 1, 1, 2, 4)))]
    data = log.data
    for kind in kinds:
        # A real escape sequence in the log, cut in two by another one, is not what is tried here: those are in front.
        data = b"".join(kind(r, data.splitlines(keepends=True) or [b"\n"])) or b"\n"
    return kinds, data


def wrong(log, kinds, data):
    """What is wrong with what came out; "" if nothing is."""
    found = runs.split(records.scan(data))
    for one in found:
        have = {r.seq: r.text for r in one.records}
        if any(text not in [truth.get(seq) for truth in log.truth] for seq, text in have.items()):
            return f"a record that was not sent, among {runs.ranges(have)}"
        wholes = [truth for truth, whole in zip(log.truth, log.whole) if whole]
        if not one.problems and have not in wholes:
            return f"a run without problems has {runs.ranges(have)}, not all or not its own"
        lost = [sorted(set(truth) - set(have)) for truth in wholes]
        if one.first("end") and one.missing not in lost:
            return f"named as missing is {one.missing}, but is {lost}"
    if all(kind in HARMLESS for kind in kinds):
        if [{r.seq: r.text for r in one.records} for one in found] != log.truth:
            return "something harmless took records away"
        if [not one.problems for one in found] != log.whole:
            return f"something harmless is called a problem: {[one.problems for one in found]}"
    return ""


def attempt(seed, logs):
    """One log spoiled; "" or what is wrong. Whether anything was a problem, too."""
    r = random.Random(seed)
    log = r.choice(logs)
    kinds, data = spoiled(r, log)
    why = wrong(log, kinds, data)
    return why and f"seed {seed}, {', '.join(kind.__name__ for kind in kinds)}: {why}"


def attempts(seed, count, logs):
    """Those that went wrong, one line each. The same lines are decoded thousands of times: their checksums are kept."""
    plain = records.crc32c
    records.crc32c = functools.lru_cache(1 << 14)(plain)
    try:
        return [why for n in range(count) if (why := attempt(seed + n, logs))]
    finally:
        records.crc32c = plain


if __name__ == "__main__":
    bad = attempts(int(sys.argv[1]), int(sys.argv[2]), recorded())
    print(json.dumps({"tried": int(sys.argv[2]), "wrong": bad}))
    sys.exit(bool(bad))
