# SPDX-License-Identifier: BSD-2-Clause
"""
What records there are and what is in them: the one place that says so. docs/records.md is made of it, `check` holds every record of
every run against it: one with an unknown, a missing or a wrong field fails there. A user's `run` and `collect` pass over what they
don't know, so that an older host reads a newer kernel.

As a program: records.jsonl on stdin (or a file that is named) against it.
"""

import json
import pathlib
import re
import sys

TEXT, NUMBER, FLAG, LIST = "text", "number", "flag", "numbers"
KINDS = {TEXT: lambda v: isinstance(v, str), FLAG: lambda v: isinstance(v, bool),
         NUMBER: lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= 0,
         LIST: lambda v: isinstance(v, list) and all(isinstance(n, int) and not isinstance(n, bool) for n in v)}


class Field:
    """`may`: it may be absent, as `meaning` says."""

    def __init__(self, kind, meaning, may=False):
        self.kind, self.meaning, self.may = kind, meaning, may


def _text(meaning):
    return Field(TEXT, meaning)


def _number(meaning):
    return Field(NUMBER, meaning)


def _flag(meaning):
    return Field(FLAG, meaning)


def _list(meaning):
    return Field(LIST, meaning)


def _may(field):
    return Field(field.kind, field.meaning, True)


class Type:
    """`rest`: (pattern of names, check of a value, what these fields are), where the names are those of a registry."""

    def __init__(self, meaning, fields, rest=None):
        self.meaning, self.fields, self.rest = meaning, fields, rest


def _is_counter(value):
    return isinstance(value, list) and len(value) == 3 and all(map(KINDS[NUMBER], value)) and value[1] <= value[2] <= value[0]


def _quantiles():
    names = {"min": "least", "p50": "median", "p90": "90th percentile", "p99": "99th percentile", "max": "greatest"}
    out = {n: _number(f"{meaning} of the samples, in clock ticks per operation") for n, meaning in names.items()}
    return out | {f"{n}_ns": _number(f"{n} in ns") for n in names}


TYPES = {
    "start": Type("Which kernel, started by whom. Always record 0.", {
        "version": _text("version of the kernel, and of this schema"),
        "build": _text("commit, `-dirty` if changed"),
        "arch": _text("`x86_64` or `arm64`"),
        "begin": _number("clock ticks when the run began; the same in its end record"),
        "protocol": _text("how it was started: `multiboot2`, `pvh`, `fdt`, `efi`"),
        "loader": _text("name that the loader or firmware gave, else empty"),
        "hardware_by": _may(_text("what said which hardware there is: `acpi`, `device tree`")),
        "secure_boot": _may(_text("by EFI's own stub only: `off`, `on`, `unknown`")),
        "cmdline": _text("command line, cut where it is too long"),
    }),
    "cpu": Type("The machine. Not sent where an error ends the run before it is known.", {
        "cpu": _text("brand string; arm64: by implementer and part"),
        "id": _text("vendor, family, model, stepping; arm64: MIDR"),
        "features": _text("those that matter here"),
        "hypervisor": _text("its signature, or `none`: under one, times are not comparable"),
        "emulator": _text("`qemu-tcg`, `bochs`, or `none`: in one, times mean nothing"),
        "irq_controller": _text("`xapic`, `x2apic`, `gicv2`, `gicv3`"),
        "tags": _text("what tags TLB entries, or why nothing does"),
        "full_flush": _text("how a CPU flushes everything"),
        "broadcast": _text("instructions for it, or why none"),
        "errata": _may(_text("arm64: the worst erratum of its CPUs that asks for TLBI and DSB once more, or `none`; "
                             "`broadcast` says whether they are repeated")),
        "local_flush": _text("what local instructions reach"),
        "cpus": _number("CPUs that came"),
        "expected": _number("CPUs that firmware lists"),
    }),
    "clock": Type("The clock of all samples.", {
        "source": _text("`tsc`, `pmccntr`, `cntvct`"),
        "calibration": _text("how its rate became known"),
        "ticks_per_us": _number("rate, rounded"),
        "khz": _number("rate"),
        "resolution": _number("least difference between two reads, in ticks"),
        "invariant": _flag("the rate does not change with frequency or sleep states"),
        "time": _text("the clock of time-outs and of `begin`"),
        "time_khz": _number("its rate"),
        "note": _text("why samples have no finer clock, or empty"),
    }),
    "options": Type("Every option with its value, in one or more records.", {}, (
        r"[a-z][a-z0-9_]*", KINDS[TEXT], "an option's value as text; names as in [options.md](options.md)")),
    "topology": Type("What CPUs share, as far as it is told.", {
        "places_by": _text("what told it"),
        "nodes_by": _text("what told NUMA nodes, or `none`"),
        "placement": _text("option placement="),
        "nodes": _number("NUMA nodes"),
        "packages": _number("packages that differ; so are the next two"),
        "complexes": _number("groups of cores with a cache of theirs"),
        "cores": _number("cores"),
    }),
    "node": Type("One NUMA node.", {
        "node": _number("its number here, from 0"),
        "domain": _number("firmware's number"),
        "mib": _number("memory, MiB"),
        "distances": _may(_list("to each node, 10: itself; where they are told")),
    }),
    "cpus": Type("Where CPUs are, from `first` on; in as many records as it takes. -1: not told.", {
        "first": _number("number of the first CPU"),
        "hw_id": _list("APIC id, or affinity"),
        "node": _list("NUMA node"),
        "package": _list("package"),
        "complex": _list("group of cores with a cache of theirs"),
        "core": _list("core"),
        "thread": _list("number in its core"),
    }),
    "frames": Type("Memory that is managed.", {
        "start": _number("first physical address"),
        "end": _number("the one behind the last"),
        "mib": _number("frames in it, MiB"),
    }),
    "note": Type("Something about the machine that matters for what follows.", {
        "note": _text("what"),
        "first_cpu": _may(_number("the first of the CPUs that differ")),
        "last_cpu": _may(_number("the last of them")),
        "differences": _may(_text("registers that differ from CPU 0's, whose values are in brackets")),
        "hw_id": _may(_number("APIC id or affinity of a CPU that did not start")),
    }),
    "broadcast": Type("The self-test of broadcast instructions, where there are some.", {
        "self_test": _text("`ok`, or what went wrong"),
    }),
    "left-out": Type("A preset of `tlb=all` that this machine can't do.", {
        "tlb": _text("the preset"),
        "why": _text("what it lacks"),
    }),
    "strategy": Type("One strategy of `tlb=`.", {
        "strategy": _text("its name, as in results"),
        "stages": _text("its choice for each stage, with values"),
    }),
    "absent": Type("An instruction that benchmark `insn` can't measure here.", {
        "op": _text("the instruction"),
        "missing": _text("what it needs"),
    }),
    "plan": Type("What is to come, for those who read along.", {
        "tests": _number("records of type test"),
        "sabotages": _number("records of type sabotage"),
        "results": _number("records of type result, if every cell succeeds"),
    }),
    "test": Type("One guest test under one strategy.", {
        "test": _text("its name"),
        "strategy": _text("the strategy"),
        "result": _text("`ok`, `not ok`, `skip`"),
        "detail": _text("why it failed or was skipped, else empty"),
    }),
    "sabotage": Type("One test against a strategy that is wrong on purpose.", {
        "test": _text("the test"),
        "sabotage": _text("what is wrong"),
        "machine": _text("as `emulator` above"),
        "visible": _flag("the damage can be seen on this machine"),
        "rounds": _number("rounds tried"),
        "caught": _number("rounds in which the test saw it"),
        "result": _text("`caught`, `missed`, `unproven` (not visible here)"),
    }),
    "litmus": Type("One outcome of a litmus shape ([litmus.md](litmus.md)) in a round of test `litmus`.", {
        "shape": _text("its name"),
        "outcome": _text("the outcome's"),
        "verdict": _text("`allowed`, `forbidden`, `undecided`"),
        "rule": _text("by which rules of [model.md](model.md)"),
        "cpus": _number("threads, each on a CPU"),
        "runs": _number("how often it was run"),
        "premise": _number("runs in which what has to come before the outcome did"),
        "seen": _number("runs that ended so"),
        "per_million": _number("the same per million runs"),
        "result": _text("`ok`, or `forbidden`: seen, and must not be"),
        "outcomes": _text("all registers, and how often per million they ended so; the same in each record of a shape"),
    }),
    "result": Type("One cell of a benchmark under one strategy.", {
        "bench": _text("the benchmark"),
        "strategy": _text("the strategy; `-`: it has none"),
        "params": _text("variant, `NAME=VALUE`"),
        "cpus": _number("CPUs that take part"),
        "targets": _number("CPUs that others reach"),
        "pages": _number("pages per operation, 0: none"),
        "samples": _number("samples"),
        "batch": _number("operations per sample; above 1 a quantile is one of means"),
        "ops": _number("operations that the counters counted"),
    } | _quantiles() | {
        "sample_p50": _number("median of the samples as they are, in clock ticks"),
        "clock": _text("`source` of the clock record"),
        "resolution": _number("likewise"),
        "ticks_per_us": _number("rate of the clock"),
        "emulated": _flag("instructions of the strategy are emulated, so it has no time"),
        "emulator": _text("as in `cpu`"),
        "idle": _text("how CPUs without work wait: `halt`, `spin`"),
        "others": _text("what CPUs that take no part do"),
        "others_cpus": _number("how many these are"),
        "others_done": _number("what they did, where they do something"),
        "ipi_p50": _may(_number("raw IPI round trip to all of them in the same cell, ticks; not without a strategy")),
        "held": _may(_number("TLB entries that sharers really held, with `holders`")),
        "holders": _may(_number("of how many that was looked at; only where it was")),
    }, (r"[a-z][a-z0-9_]*", _is_counter,
        "a counter as `[sum, least, most]` over CPUs, absent if 0; names in [options.md](options.md)")),
    "error": Type("Why the run ended, or a cell failed; the verdict is `error`.", {
        "cpu": _may(_number("CPU that ended the run; absent if a cell failed")),
        "strategy": _may(_text("strategy that was installed; likewise")),
        "running": _may(_text("test or benchmark that ran; likewise")),
        "message": _may(_text("what happened; likewise")),
        "bench": _may(_text("benchmark of the cell that failed")),
        "text": _may(_text("why it failed")),
    }),
    "end": Type("Always the last one.", {
        "records": _number("how many there are, this one included"),
        "verdict": _text("`ok`, `failed` (a test), `error`"),
        "begin": _number("as in `start`"),
        "listen": _number("seconds for which requests are heeded from now on, see [interfaces.md](interfaces.md)"),
    }),
}


def problems_of(fields):
    """What is wrong with one record (a dict), one line each."""
    name = fields.get("type")
    if name not in TYPES:
        return [f"a record of unknown type {name}"]
    kind, out = TYPES[name], []
    for field, value in fields.items():
        known = kind.fields.get(field)
        if field == "type":
            continue
        if known and not KINDS[known.kind](value):
            out.append(f"{name}: {field} is {value!r}, not a {known.kind}")
        elif not known and not (kind.rest and re.fullmatch(kind.rest[0], field) and kind.rest[1](value)):
            out.append(f"{name}: unknown field {field}, {value!r}")
    out += [f"{name}: {field} is missing" for field, f in kind.fields.items() if not f.may and field not in fields]
    return out


def problems(log):
    """Of a Log's records; each says which one, and where to mend it."""
    return [f"record {r.seq}, {text} (tools/schema.py)" for r in log.records for text in problems_of(r.fields)]


def markdown():
    """docs/records.md."""
    out = ["# Records", ""]
    out += ["Generated by `tools/docs.py` from `tools/schema.py`, which `./tlblab check` holds every record against. The line that"]
    out += ["a record stands in: [interfaces.md](interfaces.md). Kinds: text; number, whole and from 0; numbers; flag.", ""]
    for name, kind in TYPES.items():
        out += [f"## {name}", "", kind.meaning, "", "| field | kind | meaning |", "|---|---|---|"]
        for field, f in kind.fields.items():
            out.append(f"| `{field}` | {f.kind}{', may be absent' if f.may else ''} | {f.meaning} |")
        if kind.rest:
            out.append(f"| others | | {kind.rest[2]} |")
        out.append("")
    return "\n".join(out)


def main(arguments):
    lines = pathlib.Path(arguments[0]).read_text().splitlines() if arguments else sys.stdin.read().splitlines()
    wrong = [f"line {n}: {text}" for n, line in enumerate(lines, 1) for text in problems_of(json.loads(line))]
    print("\n".join(wrong + [f"{len(lines)} records, {len(wrong)} problems"]))
    return bool(wrong) or not lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
