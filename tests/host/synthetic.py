# SPDX-License-Identifier: BSD-2-Clause
"""A serial log as the kernel writes it, made here: firmware and GRUB text, prose, and records in the format of lib/record.h."""

import json

from records import crc32c

NOISE = [
    b"\x1b[2J\x1b[01;01H\x1b[0mSeaBIOS (version 1.16.2-debian-1.16.2-1)",
    b"Booting from DVD/CD...",
    b"\x1b[?25h\x1b[H\x1b[JGNU GRUB  version 2.06",
    b"error: no suitable video mode found.",
    b"",
]


def wire(seq, fields):
    """One record's line, without its end."""
    text = json.dumps(fields, separators=(",", ":"))
    crc = crc32c(f"{seq} {text}".encode())
    return f"@tlblab {seq} {crc:08x} {text}".encode()


def result(bench, strategy, p50, cpus=2, pages=1, **more):
    fields = {"type": "result", "bench": bench, "strategy": strategy, "cpus": cpus, "targets": cpus - 1, "pages": pages}
    fields |= {"samples": 10, "ops": 10, "min": p50 - 5, "p50": p50, "p90": p50 + 1, "p99": p50 + 2, "max": p50 + 9}
    fields |= {f"{k}_ns": fields[k] // 2 for k in ("min", "p50", "p90", "p99", "max")}
    return fields | {"ticks_per_us": 2000, "emulated": False, "emulator": "qemu-tcg", "ipi_p50": 900, "params": ""} | more


FIELDS = [
    {"type": "start", "version": "0.1", "build": "abc", "arch": "x86_64", "cmdline": 'tlb=all x="@tlblab 3"'},
    {"type": "cpu", "cpu": "QEMU TCG CPU", "id": "AuthenticAMD 15-107-1", "cpus": 2, "emulator": "qemu-tcg"},
    {"type": "clock", "source": "tsc", "ticks_per_us": 2000, "calibration": "pm-timer"},
    {"type": "options", "tlb": "all", "bench": "all"},
    {"type": "strategy", "name": "ipi", "stages": "transport=ipi"},
    {"type": "test", "test": "stale_read", "strategy": "ipi", "result": "ok", "detail": ""},
    {"type": "sabotage", "test": "stale_read", "sabotage": "none", "machine": "tcg", "visible": True}
    | {"rounds": 10, "caught": 10, "result": "caught"},
    result("ipi", "-", 900),
    result("latency", "ipi", 2000, ipis_sent=[10, 0, 10], flush_range=[20, 10, 10])
    | {"pages_flushed": [660, 330, 330], "requests_done": [3, 0, 3]},
    result("latency", "lazy", 1000, ipis_sent=[5, 0, 5], flush_range=[10, 0, 10], flush_full=[5, 0, 5]),
    result("latency", "ipi", 4000, pages=33, ipis_sent=[10, 0, 10]),
    result("lazy", "lazy", 1500, params="lazy=2"),
    {"type": "note", "text": "a backslash \\ and a quote \" in it"},
]


def records(verdict="ok", fields=None):
    fields = FIELDS if fields is None else fields
    return fields + [{"type": "end", "records": len(fields) + 1, "verdict": verdict}]


def lines(verdict="ok", fields=None):
    """The records' lines, nothing between them."""
    return [wire(n, f) for n, f in enumerate(records(verdict, fields))]


def log(record_lines=None):
    """A whole console log: noise, and prose between the records."""
    out = list(NOISE)
    for n, line in enumerate(lines() if record_lines is None else record_lines):
        out += [f"progress {n} 14 latency".encode(), line]
    return b"\r\n".join(out) + b"\r\n"
