# SPDX-License-Identifier: BSD-2-Clause
"""What needs no kernel."""

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


@step("quick")
def host_tests(report):
    """tests of the host side"""
    command = [sys.executable, "-m", "unittest", "discover", "-v", "-s", str(build.TOP / "tests" / "host")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    for name, result in re.findall(r"^\w+ \(([\w.]+)\)(?:\n.*)? \.\.\. (ok|FAIL|ERROR|skipped)", done.stdout, re.M):
        if result == "skipped":
            report.skip(name, "says the test")
        else:
            report.expect(name, result == "ok", done.stdout)
    ran = re.search(r"^Ran (\d+) test", done.stdout, re.M)
    seen = len(report.passed) + len(report.failed) + len(report.skipped)
    if done.returncode and not report.failed or not ran or int(ran[1]) != seen:
        report.fail("all tests ran", done.stdout)


@step("quick")
def unit(report):
    """unit tests of the kernel's sources on the host, under sanitizers"""
    command = ["make", "-C", str(build.TOP), "-k", "unit", "WERROR=1"]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    passed = failed = 0
    for a, b in re.findall(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M):
        passed, failed = passed + int(a), failed + int(b)
    report.passed += [f"unit test {n}" for n in range(passed)]
    if failed or done.returncode:
        report.fail(f"unit: {failed} failed, make ended with {done.returncode}", done.stdout)
