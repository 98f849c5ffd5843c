# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab zoo`: real bugs, put back one at a time. An entry (tests/zoo/ID.toml) is data: a text that occurs exactly once in a file,
what stands there instead, a scenario and the oracle that has to notice. It is edited into a copy of the tree, build/zoo/ID/. Then:

    clean     the sources as they are: nothing speaks in `budget` schedules
    caught    with the bug: the named oracle speaks within `budget` schedules, for every seed; those that see it `also` are off
    also      each of those, with all others off, speaks as well
    needed    with the bug and without the named oracle (and those of `also`): it goes through
    cured     with `cured_by` instead of `options`: nothing speaks, bug or not

Where hardware is what is wrong, an entry has `knobs` of the simulator instead of edits, and the sources stay as they are.

An entry is of one ISA, `arch`. Has it a table [arm64], the same bug is tried on arm64 as well, with what that table has instead.

Where QEMU can show a bug, by one of the kernel's own tests, the entry has a table [qemu]: zoo_qemu.py, --qemu.

docs/zoo.md is the table of them all; --write writes it, or the row of one, with SEEDS seeds.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import textwrap
import tomllib

import build
import cli
import errors
import sim
from cli import Option

ENTRIES = build.TOP / "tests" / "zoo"
CATALOGUE = build.TOP / "tests" / "zoo_catalogue.toml"
DOCS = build.TOP / "docs" / "zoo.md"
COPIES = build.BUILD / "zoo"
# What the simulator is made of; its objects come along, so that only what a mutation touches is compiled.
PARTS = ("Makefile", "arch", "bench", "boot", "include", "lib", "mm", "sim", "smp", "task", "tests/guest", "tests/litmus",
         "tests/sabotage", "tests/sim")
SEEDS = 20  # of the table's medians

TEXT, LIST, NUMBER = str, list, int
FIELDS = {"id": TEXT, "title": TEXT, "system": TEXT, "references": LIST, "mutation": TEXT, "scenario": TEXT, "tlb": TEXT,
          "cpus": NUMBER, "options": LIST, "oracle": TEXT, "also": LIST, "budget": NUMBER}
BY_EDIT, BY_KNOB = {"edit": LIST}, {"knobs": LIST, "cured_by": LIST}  # either, cured_by only where there is a cure
OPTIONAL = {"cured_by", "arch", "arm64", "qemu"}
INSTEAD = ("scenario", "tlb", "cpus", "options", "oracle", "also", "budget")  # what [arm64] may have
QEMU = {"test": TEXT, "tlb": TEXT, "cpus": NUMBER, "options": LIST, "arch": TEXT}  # what [qemu] has: `test`, the others may be

OPTIONS = [
    Option("--seeds", "each must be caught with so many seeds (default 3)", "N", cli.number(1, 1000)),
    Option("--qemu", "those that QEMU can show, by the guest test that has to fail; or ID"),
    Option("--write", f"write docs/zoo.md, or the row of ID there ({SEEDS} seeds)"),
    Option("--patch", "a bug of your own: a unified diff, against the shared code (on x86_64)", "FILE"),
    Option("--scenario", "with --patch: what the CPUs do", "NAME"),
    Option("--tlb", "with --patch: strategy (default: all that are sound)", "SPEC"),
]


class Entry:
    """
    tests/zoo/ID.toml; every field is there, and no other, but `cured_by`, `arch` (x86_64), [arm64] and [qemu] need not be.
    `there`: the bug on arm64, where that is the second ISA; `name` tells the two apart.
    """

    edit, knobs, cured_by, arch, arm64, qemu = (), (), None, "x86_64", None, None

    def __init__(self, path, there=False):
        self.path = path
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as wrong:
            raise self.error(str(wrong))
        fields = FIELDS | {"arch": TEXT, "arm64": dict, "qemu": dict} | (BY_KNOB if "knobs" in data else BY_EDIT)
        self.check(data, fields)
        self.check(data.get("arm64", {}), {name: FIELDS[name] for name in INSTEAD}, INSTEAD)
        if "qemu" in data:
            self.check(data["qemu"], QEMU, QEMU.keys() - {"test"})
        self.__dict__.update(data, **({"arch": "arm64", **data["arm64"]} if there else {}))
        self.name = f"{self.id} on arm64" if there else self.id
        for arch in (self.arch, (self.qemu or {}).get("arch", self.arch)):
            if arch not in sim.BINARIES:
                raise self.error(f"unknown arch {arch}; accepted are {', '.join(sim.BINARIES)}")
        if self.arm64 is not None and data.get("arch") == "arm64":
            raise self.error("is of arm64, so it needs no table for that")
        if self.id != path.stem or not (self.edit or self.knobs) or any(set(e) != {"file", "old", "new"} for e in self.edit):
            raise self.error("id is the file's name, and each [[edit]] has file, old and new; or knobs are named")
        if self.qemu and not self.edit:
            raise self.error("has knobs of the simulator's CPUs, so QEMU can't show it")

    def check(self, data, fields, optional=OPTIONAL):
        for name in sorted(fields.keys() | data.keys()):
            if name not in fields:
                raise self.error(f"unknown field {name}; accepted are {', '.join(fields)}")
            if not isinstance(data.get(name), fields[name]) and (name in data or name not in optional):
                raise self.error(f"{name} is missing, or no {fields[name].__name__}")

    def error(self, message):
        return errors.Error(f"zoo: {self.path.name}: {message}")

    @property
    def clean(self):
        return sim.BINARIES[self.arch]

    @property
    def copy(self):
        return COPIES / self.name.replace(" ", "-")


def entries():
    """All of them: A2 before A13, each on its ISA and then on arm64 if it has a table for that."""

    def order(entry):
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", entry.id)]

    own = sorted(map(Entry, ENTRIES.glob("*.toml")), key=order)
    return [e for one in own for e in ([one] if one.arm64 is None else [one, Entry(one.path, there=True)])]


def mutate(entry, top):
    """Edits the tree at `top`. An old text has to be there exactly once, so that a bug can't quietly stop being one."""
    for edit in entry.edit:
        path = pathlib.Path(top) / edit["file"]
        if not path.is_file():
            raise entry.error(f"no file {edit['file']}")
        text = path.read_text(encoding="utf-8")
        if text.count(edit["old"]) != 1:
            raise entry.error(f"{edit['file']} has {text.count(edit['old'])} times, not once: {edit['old'].strip()!r}")
        path.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")


def copy_tree(copy, *more):
    """The sources, and `more`, in place of what is there."""
    shutil.rmtree(copy, ignore_errors=True)
    for part in (*PARTS, *more):
        source, target = build.TOP / part, copy / part
        if source.is_dir():
            shutil.copytree(source, target)  # keeps times, which make goes by
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def make_copy(copy, what, *arguments):
    """`what`: for messages."""
    command = ["make", "-C", str(copy), "--no-print-directory", *build.STRICT, "MUTATED=-Wno-error", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    if done.returncode:
        first = re.search(r"^.*(?:error: |undefined reference ).*$", done.stdout, re.M)
        raise errors.Error(f"{what} does not compile: {first[0].strip() if first else done.stdout.strip().splitlines()[-1]}")


def build_tree(copy, change, what, clean=sim.BINARY):
    """The simulator of the tree as it is after change() of the copy; returns the binary's path."""
    objects = clean.parent.relative_to(build.TOP)
    copy_tree(copy, objects)
    change()
    _, isa, *kind = objects.name.split("-")
    make_copy(copy, what, f"SIM_ISA={isa}", *(["SIM_RACE=1"] if kind else []), "sim")
    return copy / clean.relative_to(build.TOP)


def build_copy(entry):
    """The simulator with the bug; returns the binary's path."""
    if not entry.edit:
        shutil.rmtree(entry.copy, ignore_errors=True)
        entry.copy.mkdir(parents=True)
        return entry.clean
    return build_tree(entry.copy, lambda: mutate(entry, entry.copy), f"zoo: {entry.name}", entry.clean)


class Run:
    """
    One run of an entry's scenario, with the bug if `binary` has it, or with the knobs. `oracle`: who spoke, None if nobody did;
    `schedules`: until then.
    """

    def __init__(self, entry, binary, seed, switches=(), options=None):
        words = ["--scenario", entry.scenario, "--tlb", entry.tlb, "--cpus", entry.cpus, "--schedules", entry.budget]
        words += entry.options if options is None else options
        words += ["--seed", seed, "--quiet", "--write", entry.copy / f"seed-{seed}.replay"]
        status, text = sim.run(*words, *switches, binary=binary)
        self.text = text.replace("./tlblab sim ", f"{binary} ")  # a replay is for the build that it comes from
        match = re.search(r"^violation (\S+) in .*, schedule (\d+)$", self.text, re.M)
        self.oracle = match[1] if match else None
        self.schedules = int(match[2]) + 1 if match else entry.budget
        if not match and status not in (errors.OK, errors.FAILED):
            raise errors.Error(f"zoo: the simulator ended with status {status} in {entry.name}", details=self.text)
        # Of a run that found nothing, because nothing could have been found.
        self.vacuous = not match and status != errors.OK


def without(oracles):
    return [word for oracle in oracles for word in ("--without", oracle)]


def broken(entry):
    return [word for knob in entry.knobs for word in ("--knob", knob)]


class Verdict:
    """`wrong`: why the entry has failed, one line each; `schedules`: needed, by seed."""

    def __init__(self, entry, seeds):
        self.entry, self.wrong, self.schedules = entry, [], []
        binary, knobs = build_copy(entry), broken(entry)
        clean = Run(entry, entry.clean, 1)
        if clean.oracle or clean.vacuous:
            self.wrong.append(f"without the bug: {clean.oracle or 'vacuous'}\n{clean.text}")
        if entry.cured_by is not None:
            cured = Run(entry, binary, 1, knobs, entry.cured_by)
            if cured.oracle or cured.vacuous:
                self.wrong.append(f"with its cure: {cured.oracle or 'vacuous'}\n{cured.text}")
        for seed in range(1, seeds + 1):
            run = Run(entry, binary, seed, knobs + without(entry.also))
            self.schedules.append(run.schedules)
            if run.oracle != entry.oracle:
                self.wrong.append(f"seed {seed}: {run.oracle or 'nobody'} speaks, not {entry.oracle}\n{run.text}")
        for oracle in entry.also:
            run = Run(entry, binary, 1, [*knobs, "--only", oracle])
            if run.oracle != oracle:
                self.wrong.append(f"{oracle} alone does not speak, so it is none of `also`\n{run.text}")
        through = Run(entry, binary, 1, knobs + without([entry.oracle, *entry.also]))
        if through.oracle:
            self.wrong.append(f"without {entry.oracle}: {through.oracle} speaks, so it is one of `also`\n{through.text}")

    @property
    def median(self):
        return round(statistics.median(self.schedules))


def verdicts(seeds, chosen=None):
    """Of all entries (or those chosen), in their order, as many at a time as there are CPUs."""
    for arch in sorted({entry.arch for entry in (entries() if chosen is None else chosen)}):
        sim.make(arch)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda entry: Verdict(entry, seeds), entries() if chosen is None else chosen)


HEAD = f"""# The zoo

Real bugs in translation invalidation, put back into this kernel one at a time; or into the simulator's CPUs, by a knob
([model.md](model.md)). Each has to be noticed by the oracle that is named, within its budget of schedules, and by no other that
the entry does not name; the kernel as it is runs the same schedules clean; and without the oracle the bug goes through. There
is one for each oracle (last section). Entries are data, `tests/zoo/`; `./tlblab zoo` tries them all, `./tlblab check` does too.

Schedules: how many the simulator needed, the median of {SEEDS} seeds (others after each change of the sources). Generated by
`./tlblab zoo --write`.

| id | bug | system, reference | mutation | scenario | oracle | schedules |
|---|---|---|---|---|---|---|
"""

FOOT = """
## Bugs of these kinds that this kernel can't have, can't show, or not yet

Ids are those of a catalogue of kinds (`tests/zoo_catalogue.toml`), from kernels, hypervisors and errata; each of its {ids} has an
entry above or is listed here (step `zoo-whole` of `./tlblab check`).

{listed}
A14 as it was, Linux x86, 2007: two CPUs take over one list of deferred pages. A batch belongs to one CPU here; the entry loses
pages in another way.

On arm64 these can't happen, or were not tried: A13, as every CPU has ASIDs; B1, which is E10 there; B5, B9, C but C2, C5 and
C6, which are about PCID and INVLPGB; D7, as walkers set no dirty state (TCR.HD is clear): 5000 and 20000 schedules with its
mutations found nothing. H12 shows there as a walk of the freed table first. E4 as it was, 2^21 pages, is the unit test
`tlbi_every_count`'s: no flush by pages has so many. E14 with TTBR.CnP waits for a kernel that sets it, as H5 does.

## Shown in QEMU too

TCG has neither tags of its own nor walk caches, but whom a flush reaches, and what of, can be seen there. With these bugs a guest
test fails, and without them it succeeds; `./tlblab zoo --qemu` boots both, step `zoo-qemu` of `./tlblab check` too.

| id | guest test | where |
|---|---|---|
{shown}
Tried with the guest test that is nearest, and not shown (QEMU 7.2): A17, A17-uncopied and D17, for which a CPU has to be held up
within a few instructions (3000, 3000 and 20 rounds), and V6, where two have to meet there (1000 rounds); E4, as TCG drops
everything for a TLBI of more than a few pages; E14a and E22-unflushed, as it drops everything at a change of the ASID; D20, as it
walks again by itself. Two that it could show have no guest test: V3, in which somebody would have to store while rights are taken
away, and D3-refilled, a page that is mapped again meanwhile.

## Each oracle switched off

With `--without` that oracle, all others on, these bugs go through: nothing else notices them in the budget. `./tlblab zoo` and
`check` try each.

| oracle | goes through without it |
|---|---|
{oracles}
Of these there is no bug here that they alone notice:

{together}
"""


def catalogue():
    """(ids of the catalogue, {id: why it has no entry}, {oracle: why no entry needs it alone})."""
    data = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return data["ids"].split(), data["listed"], data["oracles"]


def alone():
    """{oracle: names of entries that go through when it, and nothing else, is off}."""
    found = {}
    for entry in entries():
        if not entry.also:
            found.setdefault(entry.oracle, []).append(entry.name)
    return found


def bullets(texts):
    return "\n".join(textwrap.fill(f"- {name}{text}", 128, subsequent_indent="  ", break_on_hyphens=False) for name, text in texts)


def kind(entry):
    """The id in the catalogue of which this is one: A17 of A17-tables, E14 of E14a."""
    return re.match(r"[A-Z]\d+", entry.id)[0]


def row(entry, schedules):
    where = ", ".join([entry.system, *entry.references])
    options = entry.options + broken(entry)
    oracle = entry.oracle + (f" (also {', '.join(entry.also)})" if entry.also else "")
    options = (["--arch arm64"] if entry.arch == "arm64" else []) + options
    what = ", ".join([entry.scenario, entry.tlb, f"{entry.cpus} CPUs"] + ([" ".join(options)] if options else []))
    bug = [entry.title, where, entry.mutation] if entry.name == entry.id else ["the same", "", ""]
    return f"| {' | '.join([entry.name, *bug, what, oracle])} | {schedules} |\n"


def table(rows):
    """docs/zoo.md; `rows`: (entry, schedules)."""
    return HEAD + "".join(row(*r) for r in rows) + foot()


def foot():
    import zoo_qemu  # which needs what is here

    ids, listed, together = catalogue()
    return FOOT.format(ids=len(ids), listed=bullets((name, f", {listed[name]}") for name in ids if name in listed) + "\n",
                       shown="".join(map(zoo_qemu.row, zoo_qemu.entries())),
                       oracles="".join(f"| {oracle} | {', '.join(names)} |\n" for oracle, names in sorted(alone().items())),
                       together=bullets((oracle, f": {why}") for oracle, why in together.items()))


def written():
    """id: schedules, of the rows that are there."""
    rows = (line.split(" | ") for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith("| "))
    return {cells[0][2:]: int(cells[-1][:-2]) for cells in rows if cells[-1][:-2].isdigit()}


def zoo(arguments):
    import own_bug  # which need what is here
    import zoo_qemu

    if arguments.patch:
        if arguments.words or arguments.seeds or arguments.write or arguments.qemu:
            raise errors.usage("zoo: --patch goes with --scenario and --tlb only")
        return own_bug.try_patch(arguments)
    if arguments.scenario or arguments.tlb:
        raise errors.usage("zoo: --scenario and --tlb go with --patch")
    if arguments.qemu:
        if arguments.seeds or arguments.write:
            raise errors.usage("zoo: --qemu has no seeds, and writes nothing")
        return zoo_qemu.try_all(arguments.words)
    known = entries()
    chosen = [e for e in known if not arguments.words or e.id == arguments.words[0]]
    if not chosen:
        raise errors.usage(f"zoo: unknown entry {arguments.words[0]}; accepted are {', '.join(dict.fromkeys(e.id for e in known))}")
    if arguments.write and arguments.seeds:
        raise errors.usage("zoo: --write has its own number of seeds")
    done = []
    for verdict in verdicts(SEEDS if arguments.write else arguments.seeds or 3, chosen):
        one, needed = verdict.entry, f"{verdict.median} schedules (at most {max(verdict.schedules)})"
        print(f"{one.name:16} {'FAILED' if verdict.wrong else one.oracle:11} {one.scenario:14} {needed:36} {one.title}", flush=True)
        for text in verdict.wrong:
            print("    " + text.strip().replace("\n", "\n        "))
        done.append(verdict)
    failed = sum(bool(v.wrong) for v in done)
    print(f"{len(done) - failed} passed, {failed} failed, 0 skipped")
    if arguments.write and not failed:
        medians = (written() if arguments.words else {}) | {v.entry.name: v.median for v in done}
        DOCS.write_text(table((e, medians[e.name]) for e in known if e.name in medians), encoding="utf-8")
    return errors.FAILED if failed else errors.OK
