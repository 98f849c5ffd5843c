# SPDX-License-Identifier: BSD-2-Clause
"""The ASID allocators to closure."""

import re

import build
import closure
import errors
from check import step


def _closed(report, model, words):
    status, text = closure.run(model, *words.split())
    if report.expect(" ".join([model, words]), status == errors.OK and "closed after" in text, text):
        print("    " + text.splitlines()[0])


def _states(text):
    """(states, states if mms have names)."""
    found = re.search(r"closed after (\d+) states \((\d+) with", text)
    return (int(found[1]), int(found[2])) if found else (0, -1)


@step("normal", one_cpu=True)
def closure_slice(report):
    """the ASID allocators' C to closure, without flushes; mms are exchangeable, and some bugs are found"""
    build.make("closure", quiet=True)
    _closed(report, "generation", "--generations 2 --no-flusher")
    _closed(report, "generation", "--generations 1")
    _closed(report, "global", "--mms 2")
    for words in ("--generations 1 --no-flusher", "--generations 2 --mms 2"):
        few, many = (closure.run("generation", *words.split(), *more)[1] for more in ((), ("--by-name",)))
        report.expect(f"symmetry {words}", _states(few)[1] == _states(many)[0] > 0, few + many)
    for bug in closure.BUGS:
        report.expect(bug.name, *closure.find(bug))
    status, text = closure.run("frob")
    report.expect("unknown model", status == errors.USAGE and text.count("\n") == 1 and "global" in text, text)
    status, text = closure.run("global", "--asids", "3")
    report.expect("too few ASIDs", status == errors.USAGE and text.count("\n") == 1 and "--asids" in text, text)


@step("all", one_cpu=True)
def closure_whole(report):
    """three generations, flushes by interrupts, three mms with global ASIDs"""
    build.make("closure", quiet=True)
    for model, words in closure.WHOLE:
        _closed(report, model, words)
