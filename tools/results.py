# SPDX-License-Identifier: BSD-2-Clause
"""What a run or a log leaves: files in results/<time>/, the table on stdout, problems on stderr, and the exit status."""

import datetime
import pathlib
import sys

import errors
import table
from build import TOP
from errors import Error

RESULTS = TOP / "results"


def directory(output=None):
    """A directory for one run, by default results/<UTC time>/ with the link results/latest to it."""
    if output:
        path = pathlib.Path(output)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise errors.usage(f"--output {output}: {error.strerror}; accepted is a directory")
        return path
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    path = RESULTS / stamp
    for n in range(2, 100):
        try:
            path.mkdir(parents=True)
            break
        except FileExistsError:  # a second run within the same second
            path = RESULTS / f"{stamp}-{n}"
    latest = RESULTS / "latest"
    latest.unlink(missing_ok=True)
    latest.symlink_to(path.name)
    return path


def write(log, path):
    """records.jsonl and table.csv."""
    with open(path / "records.jsonl", "w", encoding="utf-8") as file:
        file.writelines(record.text + "\n" for record in log.records)
    table.write_csv(log, path / "table.csv")


def _test_lines(log):
    """Tests that did not succeed, one line each, and a count of all."""
    tests, sabotages = log.of_type("test"), log.of_type("sabotage")
    lines = []
    for r in tests:
        if r.get("result") == "not ok":
            lines.append(f"test {r.get('test')} failed with strategy {r.get('strategy')}: {r.get('detail', '')}".rstrip(": "))
    for r in sabotages:
        if r.get("result") == "missed":
            rounds = f"{r.get('caught')} of {r.get('rounds')} rounds"
            lines.append(f"test {r.get('test')} did not see sabotage {r.get('sabotage')}: caught in {rounds}")
    if tests or sabotages:
        good = sum(r.get("result") == "ok" for r in tests)
        skipped = sum(r.get("result") == "skip" for r in tests)
        caught = sum(r.get("result") == "caught" for r in sabotages)
        unproven = sum(r.get("result") == "unproven" for r in sabotages)
        lines.append(f"tests: {good} ok, {len(tests) - good - skipped} not ok, {skipped} skipped")
        lines.append(f"sabotages: {caught} caught, {len(sabotages) - caught - unproven} missed, {unproven} unproven here")
    return lines


def messages(log):
    return [str(r.get("message") or r.get("text") or r.text) for r in log.of_type("error")]


def failed(log):
    """Some test record says so (the verdict must say it too)."""
    return any(r.get("result") in ("not ok", "missed") for r in log.of_type("test") + log.of_type("sabotage"))


def status(log):
    """The exit status that the records alone ask for."""
    if log.verdict == "error":
        return errors.ERROR
    if log.problems:
        return errors.INCOMPLETE
    if log.verdict not in ("ok", "failed"):
        return errors.ERROR
    return errors.FAILED if log.verdict == "failed" or failed(log) else errors.OK


def show(log, ticks=False):
    """The table and the tests on stdout; what is wrong on stderr, one line each."""
    if log.records:
        print(table.text(log, ticks))
        for line in _test_lines(log):
            print(line)
    show_problems(log)
    if log.verdict:
        print(f"verdict: {log.verdict}, {len(log.records)} records")


def show_problems(log):
    """What is wrong, and what was repaired, on stderr."""
    sys.stdout.flush()
    for line in messages(log) + log.problems:
        print(f"tlblab: {line}", file=sys.stderr)
    for line in log.notes:
        print(f"tlblab: note: {line}", file=sys.stderr)
    if log.verdict == "ok" and failed(log):
        print("tlblab: the verdict is ok, but a test failed", file=sys.stderr)


def read(path):
    """Bytes of a log; "-" is stdin."""
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        return pathlib.Path(path).read_bytes()
    except OSError as error:
        raise Error(f"{path}: {error.strerror}", errors.USAGE)
