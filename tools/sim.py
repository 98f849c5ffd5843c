# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab sim`: builds the simulator and runs it. With a scenario or a replay the simulator's own command line does the rest;
without, every scenario and every guest test goes under every strategy that is meant to be right, a slice of schedules each.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess

import build
import cli
import errors
import timeline
from cli import Option
from progress import Progress

BINARIES = {"x86_64": build.BUILD / "sim-x86" / "tlblab-sim", "arm64": build.BUILD / "sim-arm64" / "tlblab-sim"}
BINARY = BINARIES["x86_64"]
SCHEDULES = 10000  # of one scenario with --scenario; else SLICE
SLICE = 5000
TEST_SLICE = 20  # a guest test is thousands of steps
LIMIT = 600  # seconds for one scenario
CPUS = ["--pcid", "--invpcid", "--emulate", "--xapic", "--no-tlbirange", "--no-haf", "--asid8", "--gicv2", "--repeat-tlbi",
        "--tlbpa"]
STATES = 2**24  # the simulator's own default


def timeline_file(text):
    if pathlib.Path(text).suffix not in timeline.SUFFIXES:
        raise ValueError("a file whose name ends in .txt or .svg")
    return text


OPTIONS = [
    Option("--arch", "whose CPUs and port (default x86_64)", "x86_64|arm64", cli.choice(*BINARIES), "x86_64"),
    Option("--tlb", "strategy, as the kernel's tlb= (default: ipi with a scenario, else all that are sound)", "SPEC"),
    Option("--scenario", "what the CPUs do (default: everything)", "NAME"),
    Option("--cpus", "how many (default: as few as the scenario needs)", "N", cli.number(1, 1024)),
    Option("--schedules", f"how many (default {SCHEDULES} of one scenario; {SLICE} of each, {TEST_SLICE} of each guest test)", "N",
           cli.number(1, 10**12)),
    Option("--seed", "of the schedules (default 1)", "S", cli.number(0, 2**63 - 1), 1),
    Option("--pcid", "x86_64: the CPUs have tags"),
    Option("--invpcid", "x86_64: they have INVPCID, and flush by it"),
    Option("--emulate", "x86_64: they have no INVLPGB, so that it is emulated (invlpgb=emulate)"),
    Option("--xapic", "x86_64: interrupt commands are stores to memory, which stay in order"),
    Option("--no-tlbirange", "arm64: no TLBI of ranges"),
    Option("--no-haf", "arm64: the access flag is set by software"),
    Option("--asid8", "arm64: ASIDs of 8 bits"),
    Option("--gicv2", "arm64: interrupt commands are stores to a device"),
    Option("--repeat-tlbi", "arm64: the kernel repeats TLBI and DSB once, as repeat_tlbi=1"),
    Option("--tlbpa", "arm64: table entries are cached by their address, as without FEAT_nTLBPA"),
    Option("--knob", "the CPUs are broken in this way (several are accepted; docs/model.md)", "NAME", many=True),
    Option("--sabotage", "choices that are wrong on purpose are allowed in --tlb"),
    Option("--exhaustive", "all schedules of a scenario instead of some (docs/exhaustive.md)"),
    Option("--race", "the race build: plain accesses that nothing orders (docs/races.md)"),
    Option("--fills", "so many spontaneous fills at most (default 2)", "N", cli.number(0, 1000)),
    Option("--preemptions", "with --exhaustive: so many preemptions at most (default: no bound)", "N", cli.number(0, 100)),
    Option("--states", f"with --exhaustive: give up after so many (default {STATES})", "N", cli.number(1, 2**32)),
    Option("--unreduced", "with --exhaustive: every order of all steps, to try the reduction"),
    Option("--replay", "the run that a failure left in FILE", "FILE"),
    Option("--timeline", "draw what is found or replayed, else the last schedule with a hit on a stale entry (.txt, .svg)", "FILE",
           timeline_file),
    Option("--list", "the scenarios, the strategies that are sound, the sabotages that guest tests have to catch"),
]


class Scenario:
    def __init__(self, name, min_cpus):
        self.name, self.min_cpus = name, min_cpus
        self.is_test = name.startswith("test:")


def make(arch="x86_64", quiet=True, **variables):
    """Builds it; returns the binary's path."""
    binary = BINARIES[arch]
    isa = binary.parent.name
    variables["SIM_ISA"] = isa.removeprefix("sim-")
    build.make("sim", *(f"{name}={value}" for name, value in variables.items()), quiet=quiet)
    kind = "-san" if variables.get("SIM_SAN") else "-race" if variables.get("SIM_RACE") else ""
    return binary.parent.with_name(isa + kind) / binary.name


def run(*arguments, binary=BINARY, limit=LIMIT):
    """(exit status, what it printed)."""
    try:
        done = subprocess.run([str(binary), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=limit, cwd=build.TOP)
    except subprocess.TimeoutExpired:
        return errors.INCOMPLETE, f"no end after {limit} s: {' '.join(map(str, arguments))}\n"
    return done.returncode, done.stdout.decode(errors="replace")


def catalogue(binary=BINARY, flags=()):
    """(scenarios, names of strategies that are sound and can be done with CPUs like that) that the simulator knows."""
    status, text = run("--list", *flags, binary=binary)
    found = re.findall(r"^(?!sabotage:)(\S+) +(\d+) CPUs and more;", text, re.M)
    sound = re.findall(r"^tlb:(\S+) ", text, re.M)
    if status or not found or not sound:
        raise errors.Error("the simulator lists no scenarios or no strategies", details=text)
    return [Scenario(name, int(cpus)) for name, cpus in found], sound


class Cell:
    """One scenario under one strategy."""

    def __init__(self, scenario, strategy, cpus, flags=()):
        self.scenario, self.strategy, self.cpus, self.flags = scenario, strategy, cpus, flags

    @property
    def name(self):
        return " ".join([self.scenario.name, self.strategy, f"{self.cpus} CPUs", *self.flags])

    def run(self, schedules, seed, binary):
        """(self, exit status, what the simulator printed). `schedules`: of a scenario, of a guest test."""
        words = ["--scenario", self.scenario.name, "--tlb", self.strategy, "--cpus", self.cpus, "--seed", seed]
        words += ["--schedules", schedules[self.scenario.is_test], *self.flags]
        words += ["--write", binary.parent / f"{self.name.replace(' ', '-')}.replay"]
        return self, *run(*words, binary=binary)


def cells(binary=BINARY, tlb=None, cpus=None, more=0, flags=()):
    """Of all there are, under `tlb` or all that is sound; `cpus` (what needs more is left out) or as few as it takes, + `more`."""
    scenarios, sound = catalogue(binary, flags)
    return [Cell(scenario, strategy, cpus or max(2, scenario.min_cpus) + more, flags)
            for scenario in scenarios for strategy in ([tlb] if tlb else sound) if not cpus or cpus >= scenario.min_cpus]


def sabotages(binary=BINARY):
    """What each guest test has to catch in the simulator: cells that must fail."""
    scenarios, _ = catalogue(binary)
    least = {scenario.name: max(2, scenario.min_cpus) for scenario in scenarios}
    declared = re.findall(r"^sabotage:(\S+) +(\d+) CPUs and more; (\S+)(?: (--pcid))?$", run("--list", binary=binary)[1], re.M)
    return [Cell(Scenario(name, least[name]), spec, max(least[name], int(cpus)), ["--sabotage", *filter(None, [flag])])
            for name, cpus, spec, flag in declared]


def explore(todo, schedules, seed=1, binary=BINARY):
    """Runs cells, as many at a time as there are CPUs; what Cell.run() gives, in order."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda cell: cell.run(schedules, seed, binary), todo)


def _race(arguments):
    return {"SIM_RACE": 1} if arguments.race else {}


def _flags(arguments):
    flags = [option for option in CPUS + ["--sabotage"] if getattr(arguments, option.lstrip("-").replace("-", "_"))]
    return flags + [word for name in arguments.knob for word in ("--knob", name)]


def run_all(arguments):
    """Every scenario; shows how far it is."""
    binary = make(arguments.arch, **_race(arguments))
    todo = cells(binary, arguments.tlb, arguments.cpus, flags=_flags(arguments))
    slices = (arguments.schedules or SLICE, arguments.schedules or TEST_SLICE)
    shown, failed = Progress(), []
    for done, (cell, status, text) in enumerate(explore(todo, slices, arguments.seed, binary), 1):
        shown.done()
        if status == errors.USAGE:
            raise errors.Error(text.strip().removeprefix("tlblab "), errors.USAGE)
        print(text, end="", flush=True)
        failed += [cell.name] if status else []
        shown.saw(f"progress {done} {len(todo)} {cell.name}")
        shown.tick()
    shown.done()
    print(*(f"failed: {name}" for name in failed), f"{len(todo) - len(failed)} passed, {len(failed)} failed, 0 skipped", sep="\n")
    return errors.FAILED if failed else errors.OK


def sim(arguments):
    if arguments.race and arguments.exhaustive:
        raise errors.usage("sim: --race and --exhaustive exclude each other")
    binary = make(arguments.arch, **_race(arguments))
    if arguments.list:
        print(run("--list", *_flags(arguments), binary=binary)[1], end="")
        return errors.OK
    for name in ("preemptions", "states", "unreduced"):
        if not arguments.exhaustive and getattr(arguments, name) not in (None, False):
            raise errors.usage(f"sim: --{name} goes with --exhaustive")
    if arguments.exhaustive and not arguments.scenario:
        raise errors.usage("sim: --exhaustive needs --scenario NAME")
    if not arguments.scenario and not arguments.replay:
        if arguments.timeline:
            raise errors.usage("sim: --timeline needs --scenario NAME or --replay FILE")
        return run_all(arguments)
    words = [str(binary), *_flags(arguments)]
    words += [f"--{name}" for name in ("exhaustive", "unreduced") if getattr(arguments, name)]
    for name in ("replay", "scenario", "tlb", "cpus", "schedules", "seed", "fills", "preemptions", "states"):
        if getattr(arguments, name) is not None:
            words += [f"--{name}", str(getattr(arguments, name))]
    if arguments.timeline:
        return draw(arguments, words)
    os.execv(words[0], words)


def draw(arguments, words):
    """Runs it, and draws the run that it has printed; what it says of it is printed as ever."""
    status, text = run(*words[1:], "--events", binary=words[0])
    print(*(line for line in text.splitlines() if not line.startswith(("event ", "events of "))), sep="\n")
    if "\nevents of " in f"\n{text}":
        timeline.write(arguments.timeline, text)
        print(f"drawn: {arguments.timeline}")
    elif status == errors.OK:
        raise errors.usage("sim: --timeline: nothing was found, so there is no one run to be drawn; leave --exhaustive out")
    return status
