# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab closure`: the C of the ASID allocators, every state that can be reached from the first one (docs/model.md). Bugs put back
into it must be found: those of the zoo that are in these files, and some that only this finds.
"""

import pathlib
import shutil
import subprocess

import build
import cli
import errors
import zoo
from cli import Option

BINARY = build.BUILD / "closure" / "tlblab-closure"
MODELS = ("generation", "generation-ipi", "global")
LIMIT = 3600  # seconds for one model

OPTIONS = [
    Option("--cpus", "how many (default 2)", "N", cli.number(2, 3)),
    Option("--mms", "how many (default 4)", "N", cli.number(2, 6)),
    Option("--asids", "how many, the first is KMM's (default 4)", "N", cli.number(4, 7)),
    Option("--generations", "as far as the third, say: models generation (default 3)", "N", cli.number(1, 6)),
    Option("--no-flusher", "nobody unmaps: only who has which ASID"),
    Option("--idle", "CPUs also go to the kernel's mm"),
    Option("--by-name", "mms are not exchangeable: as many states more as there are ways to name them"),
]

# What closes in minutes: model and arguments.
WHOLE = [
    ("generation", "--no-flusher"),
    ("generation", "--generations 1"),
    ("generation-ipi", "--mms 3"),
    ("global", "--mms 3"),
]


class Bug:
    """Edits to the C; the model and its arguments; who has to speak."""

    def __init__(self, name, model, words, invariant, edits=None):
        self.name, self.model, self.words, self.invariant, self.edits = name, model, words.split(), invariant, edits


# Without edits of its own it is the entry of the zoo with that name.
BUGS = [
    Bug("E14a", "generation", "--generations 2 --no-flusher", "UniqueASIDPerCPU"),
    Bug("E14b", "generation", "--generations 2 --no-flusher", "UniqueASIDPerCPU"),
    Bug("E14c", "generation", "--generations 2 --no-flusher", "UniqueASIDActiveTask"),
    Bug("E1-broadcast", "generation", "--generations 1 --mms 2", "TLBEmptyInvalPTE"),
    Bug("E15-asked", "generation-ipi", "--generations 1 --mms 2", "TLBEmptyInvalPTE"),
    Bug("C5", "global", "--mms 2", "UniqueASIDPerCPU"),
    Bug("promotion without its lock", "global", "--mms 2", "lock",
        [("mm/asid/global.c", "\tlock_take(&a->lock, \"the lock of the global ASIDs\");\n\tasid = load", "\tasid = load"),
         ("mm/asid/global.c", "asid);\n\t}\n\tlock_release(&a->lock);\n", "asid);\n\t}\n")]),
]


def make():
    build.make("closure", quiet=True)
    return BINARY


def run(model, *words, binary=BINARY):
    """(exit status, what it printed)."""
    try:
        done = subprocess.run([str(binary), model, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=LIMIT, text=True)
    except subprocess.TimeoutExpired:
        return errors.INCOMPLETE, f"no end after {LIMIT} s\n"
    return done.returncode, done.stdout


def _copy(bug):
    """The tree with the bug, built; the binary's path."""
    top = build.BUILD / "closure-bugs" / bug.name.replace(" ", "-")
    shutil.rmtree(top, ignore_errors=True)
    for part in ("Makefile", "arch", "boot", "bench", "include", "lib", "mm", "sim", "smp", "task", "tests/unit", "build/closure"):
        shutil.copytree(build.TOP / part, top / part) if (build.TOP / part).is_dir() else (
            top.mkdir(parents=True), shutil.copy2(build.TOP / part, top / part))
    if bug.edits is None:
        zoo.mutate(zoo.Entry(zoo.ENTRIES / f"{bug.name}.toml"), top)
    for file, old, new in bug.edits or ():
        path = pathlib.Path(top) / file
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise errors.Error(f"closure: {bug.name}: {file} has {text.count(old)} times, not once: {old.strip()!r}")
        path.write_text(text.replace(old, new), encoding="utf-8")
    done = subprocess.run(["make", "-C", str(top), "--no-print-directory", "closure"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    if done.returncode:
        raise errors.Error(f"closure: {bug.name} does not compile", details=done.stdout)
    return top / BINARY.relative_to(build.TOP)


def find(bug):
    """(was it found, by whom it had to be; what was printed)."""
    make()
    status, text = run(bug.model, *bug.words, binary=_copy(bug))
    return status == errors.FAILED and text.startswith(f"{bug.model}: {bug.invariant}: "), text


def closure(arguments):
    words = [f"--{name}" for name in ("no-flusher", "idle", "by-name") if getattr(arguments, name.replace("-", "_"))]
    for name in ("cpus", "mms", "asids", "generations"):
        if getattr(arguments, name) is not None:
            words += [f"--{name}", str(getattr(arguments, name))]
    for model in arguments.words or MODELS:
        if model not in MODELS:
            raise errors.usage(f"closure: unknown model {model}; accepted are {', '.join(MODELS)}")
    make()
    worst = errors.OK
    chosen = [(model, "") for model in arguments.words] or ([(m, "") for m in MODELS] if words else WHOLE)
    for model, own in chosen:
        status, text = run(model, *words, *own.split())
        print(text, end="", flush=True)
        worst = max(worst, status)
    return worst
