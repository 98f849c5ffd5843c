# SPDX-License-Identifier: BSD-2-Clause
"""What needs no kernel."""

import concurrent.futures
import os
import re
import subprocess
import sys

import build
import lint
import source
from check import step


@step("quick")
def lint_source(report):
    """rules for the source text"""
    found = lint.lint(source.tree(build.TOP))
    for rule in lint.RULES:
        lines = [f"{path}:{line}: {message}" for path, line, name, message in found if name == rule.rule]
        report.expect(rule.rule, not lines, "\n".join(lines))


def _host_tests_of(path):
    """What the tests of one file print; each has a process of its own; they mostly wait."""
    command = [sys.executable, "-m", "unittest", "-v", path.stem]
    return subprocess.run(
        command, cwd=path.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
    )


@step("quick")
def host_tests(report):
    """tests of the host side"""
    files = sorted((build.TOP / "tests" / "host").glob("test_*.py"))
    with concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        for path, done in zip(files, pool.map(_host_tests_of, files)):
            results = re.findall(r"^\w+ \(([\w.]+)\)(?:\n.*)? \.\.\. (ok|FAIL|ERROR|skipped)", done.stdout, re.M)
            for name, result in results:
                if result == "skipped":
                    report.skip(name, "says the test")
                else:
                    report.expect(name, result == "ok", done.stdout)
            ran = re.search(r"^Ran (\d+) test", done.stdout, re.M)
            good = all(result in ("ok", "skipped") for name, result in results)
            if good and done.returncode or not ran or int(ran[1]) != len(results):
                report.fail(f"all tests of {path.name} ran", done.stdout)


@step("quick")
def unit(report):
    """unit tests of the kernel's sources on the host, under sanitizers"""
    command = ["make", "-C", str(build.TOP), f"-j{os.cpu_count()}", "-k", "unit", "WERROR=1"]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    passed = failed = 0
    for a, b in re.findall(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M):
        passed, failed = passed + int(a), failed + int(b)
    report.passed += [f"unit test {n}" for n in range(passed)]
    if failed or done.returncode:
        report.fail(f"unit: {failed} failed, make ended with {done.returncode}", done.stdout)
