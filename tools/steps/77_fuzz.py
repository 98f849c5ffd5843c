# SPDX-License-Identifier: BSD-2-Clause
"""What reads foreign bytes, and what codes operands, under libFuzzer."""

import re
import subprocess

import build
from check import step

TARGETS = sorted(path.stem for path in (build.TOP / "tests" / "fuzz").glob("*.c"))
RUNS = 10**8  # in all, of `check --all`


def _fuzz(report, runs):
    """So many inputs of each target, beside its corpus."""
    build.make("fuzz-build", quiet=True)
    for target in TARGETS:
        command = ["make", "-s", "-C", str(build.TOP), "fuzz", f"TARGET={target}", f"RUNS={runs}", *build.STRICT]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              errors="replace")
        executed = re.search(r"stat::number_of_executed_units: (\d+)", done.stdout)
        report.expect(target, done.returncode == 0 and executed and int(executed[1]) >= runs, done.stdout)


@step("normal", one_cpu=True)
def fuzz_slice(report):
    """parsers of firmware and options, coders of operands: their corpora, and 10000 inputs each made of them"""
    _fuzz(report, 10000)


@step("all", one_cpu=True)
def fuzz_whole(report):
    """a hundred million inputs"""
    _fuzz(report, RUNS // len(TARGETS))
