# SPDX-License-Identifier: BSD-2-Clause
"""
Breaks the model on purpose, one way at a time: `python3 sim/test/mutants.py x86`, or `arm64`. Each entry of
sim/ISA/test/mutants.toml is an edit of one file of the model (a text that occurs exactly once) and the test that has to notice; it
is built in build/mutants-ISA/, and that test has to fail (or end). A model test that no entry breaks is reported too: it may assert
nothing.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

TOP = pathlib.Path(__file__).resolve().parents[2]
ISA = sys.argv[1] if len(sys.argv) == 2 else "x86"
TESTS = TOP / "sim" / ISA / "test"
COPY = TOP / "build" / f"mutants-{ISA}"
PROGRAM = COPY / "build" / f"sim-{ISA}" / "model-test"


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    return done.stdout, done.returncode


def build():
    return run("make", "-C", COPY, "-s", f"SIM_ISA={ISA}", PROGRAM.relative_to(COPY))


def copy():
    shutil.rmtree(COPY, ignore_errors=True)
    for part in ("Makefile", "sim", "include", "arch"):
        source = TOP / part
        shutil.copytree(source, COPY / part) if source.is_dir() else (COPY.mkdir(parents=True), shutil.copy2(source, COPY / part))


def main():
    copy()
    text, status = build()
    if not status:
        text, status = run(PROGRAM)
    if status:
        print(f"the tests must pass before anything is broken:\n{text}")
        return 1
    mutants = tomllib.loads((TESTS / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
    names = [n for f in TESTS.glob("*.c") for n in re.findall(r"^MODEL_TEST\((\w+)\)", f.read_text(), re.M)]
    caught = 0
    for mutant in mutants:
        path = COPY / "sim" / mutant["file"]
        original = path.read_text(encoding="utf-8")
        if original.count(mutant["old"]) != 1:
            print(f"{mutant['file']} has {original.count(mutant['old'])} times, not once: {mutant['old']!r}")
            continue
        path.write_text(original.replace(mutant["old"], mutant["new"]), encoding="utf-8")
        text, status = build()
        path.write_text(original, encoding="utf-8")
        if status:
            print(f"{mutant['test']}: does not compile: {mutant['new']!r}\n{text}")
        elif not run(PROGRAM, mutant["test"])[1]:  # a failure, a violation outside a schedule, no end: it notices
            print(f"{mutant['test']} does not notice: {mutant['file']}: {mutant['new']!r}")
        else:
            caught += 1
    unproven = sorted(set(names) - {m["test"] for m in mutants})
    for name in unproven:
        print(f"{name}: no entry breaks it")
    wrong = len(mutants) - caught + len(unproven)
    print(f"{caught} passed, {wrong} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
