# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab check`: everything that proves the project right. A step is a function in tools/steps/ with the decorator @step; every
file there is loaded, so there is no list of steps to keep. A step reports each thing it tried by name; a step that reports nothing,
or that breaks, has failed. What failed leaves its output in build/check/.
"""

import concurrent.futures
import contextlib
import fnmatch
import importlib.util
import io
import multiprocessing
import os
import pathlib
import sys
import textwrap
import time
import traceback

import build
import errors
from cli import Option

LEVELS = ("quick", "normal", "all")
LOGS = build.BUILD / "check"
STEPS = []

OPTIONS = [
    Option("--quick", "for every commit, under three minutes"),
    Option("--all", "what takes long, too"),
    Option("-k", "only steps whose name contains PATTERN (or matches it, with * and ?)", "PATTERN"),
    Option("--list", "name the steps and their levels"),
]


class Step:
    def __init__(self, run, name, level, one_cpu=False):
        self.run, self.name, self.level, self.help = run, name, level, (run.__doc__ or "").strip().splitlines()[0]
        self.one_cpu = one_cpu


def step(level, one_cpu=False):
    """
    Registers `def name(report)`; "_" in its name is shown as "-". Steps run in the order of their files' names, one at a time.
    `one_cpu`: it keeps no more than one CPU of the host busy. Those run after all others, as many at a time as there are CPUs, each
    in a process of its own; what they write carries the step's name.
    """

    def register(run):
        STEPS.append(Step(run, run.__name__.replace("_", "-"), level, one_cpu))
        return run

    return register


class Report:
    """What one step found. Names are free text; failures are printed with the end of their output."""

    TAIL = 15  # lines

    def __init__(self, name):
        self.name = name
        self.passed, self.failed, self.skipped = [], [], []
        self.reasons = {}  # why skipped: names

    def path(self, name):
        """A file in build/check/ for what `name` leaves."""
        LOGS.mkdir(parents=True, exist_ok=True)
        return LOGS / "".join(c if c.isalnum() or c in "-_.=," else "_" for c in f"{self.name}-{name}")

    def ok(self, name):
        self.passed.append(name)

    def fail(self, name, output="", log=None):
        """`output`: what shows why; `log`: a file that has it already."""
        self.failed.append(name)
        print(f"    FAILED {name}")
        lines = output.strip().splitlines()
        for line in lines[-self.TAIL :]:
            print(f"        {line}")
        if len(lines) > self.TAIL and not log:
            log = self.path(name + ".log")
            log.write_text(output, encoding="utf-8")
        if log:
            print(f"        all of it: {log.relative_to(build.TOP)}")

    def skip(self, name, why):
        self.skipped.append(name)
        self.reasons.setdefault(why, []).append(name)

    def expect(self, name, good, output=""):
        """Passed if `good`."""
        if good:
            self.ok(name)
        else:
            self.fail(name, output)
        return good


def load():
    """Imports tools/steps/*.py, in the order of their names."""
    for path in sorted((pathlib.Path(__file__).parent / "steps").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"steps_{path.stem}", path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _chosen(arguments):
    level = LEVELS.index("all" if arguments.all else "quick" if arguments.quick else "normal")
    pattern = arguments.k
    if pattern and not any(c in pattern for c in "*?["):
        pattern = f"*{pattern}*"
    return [s for s in STEPS if LEVELS.index(s.level) <= level and (not pattern or fnmatch.fnmatch(s.name, pattern))]


def _run(one):
    """Runs one step; nothing that it does can end the others."""
    report, start = Report(one.name), time.monotonic()
    print(f"{one.name}: {one.help}", flush=True)
    try:
        one.run(report)
        if not report.passed + report.failed + report.skipped:
            report.fail("the step tried nothing")
    except errors.Error as error:
        report.fail(one.name, f"{error.details}{error}")
    except Exception:
        report.fail(f"{one.name} broke", traceback.format_exc())
    for why, names in report.reasons.items():
        text = f"skipped {len(names)}, {why}: {', '.join(names)}"
        print(textwrap.fill(text, 116, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False))
    lists = ((report.passed, "passed"), (report.failed, "failed"), (report.skipped, "skipped"))
    counts = [f"{len(names)} {word}" for names, word in lists if names]
    print(f"    {', '.join(counts)}  ({time.monotonic() - start:.1f} s)", flush=True)
    return report


def _run_apart(number):
    """The same of STEPS[number] in a process of its own: (report, what was printed)."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        report = _run(STEPS[number])
    return report, printed.getvalue()


def _run_all(chosen):
    """Their reports, as they come."""
    yield from (_run(one) for one in chosen if not one.one_cpu)
    apart = [number for number, one in enumerate(STEPS) if one in chosen and one.one_cpu]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("fork")) as pool:
        for done in concurrent.futures.as_completed([pool.submit(_run_apart, number) for number in apart]):
            report, printed = done.result()
            print(printed, end="", flush=True)
            yield report


def check(arguments):
    if arguments.quick and arguments.all:
        raise errors.usage("check: --quick and --all exclude each other")
    build.STRICT[:] = ["WERROR=1"]
    if not STEPS:
        load()
    chosen = _chosen(arguments)
    if not chosen:
        names = ", ".join(s.name for s in STEPS)
        raise errors.usage(f"check -k {arguments.k}: no such step at this level; accepted are {names}")
    if arguments.list:
        for one in chosen:
            print(f"{one.name:16} {one.level:7} {one.help}")
        return errors.OK
    start = time.monotonic()
    reports = list(_run_all(chosen))
    failed = [f"{r.name}: {name}" for r in reports for name in r.failed]
    if failed:
        print("failed:", *failed, sep="\n    ")
    passed, skipped = sum(len(r.passed) for r in reports), sum(len(r.skipped) for r in reports)
    print(f"{time.monotonic() - start:.0f} s", file=sys.stderr)
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    return errors.FAILED if failed or not passed else errors.OK
