# SPDX-License-Identifier: BSD-2-Clause
"""
Rules for the source text. The first six keep the simulator's eyes open: what it does not see (a plain access to a shared word, a
spin loop, a stray page-table write) it can't check. Each rule is a function that yields (line, message) for one file, and has a
test that feeds it a bad snippet.
"""

import re

import source

RULES = []


def rule(function):
    function.rule = function.__name__.replace("_", "-")
    RULES.append(function)
    return function


class Tree:
    """All files, and what rules need to know of the tree as a whole."""

    def __init__(self, files):
        self.files = files
        self.paths = {f.path for f in files}
        text = "\n".join(f.code for f in files if f.path.endswith((".c", ".h", ".S", ".py", ".ld")))
        self.names = set(re.findall(r"[A-Za-z_]\w*", text))
        self.words = _declared(files, "word") - _declared(files, r"(?!word\b)\w+")


def _declared(files, struct):
    """Names of fields and objects declared as `struct STRUCT a, *b;`."""
    lists = [n for f in files if f.is_c for n in re.findall(rf"\bstruct {struct}\s+([\w\s,*\[\]]+?)[;=)]", f.code)]
    return {re.sub(r"\[.*|[\s*]", "", name) for names in lists for name in names.split(",")}


@rule
def shared_words(file, tree):
    """1. Shared words only through include/arch/atomic.h, which states the order."""
    if not file.is_c or file.metal or file.path == "include/arch/atomic.h":
        return
    for line, match in file.matches(r"\b(__atomic_\w+|__sync_\w+|_Atomic|atomic_\w+_explicit|READ_ONCE|WRITE_ONCE)\b"):
        yield line, f"{match[1]}: shared words are touched only through include/arch/atomic.h"
    for line, match in file.matches(r"\b(\w+)(?:\[[^\]]*\])?\.raw\b"):
        if match[1] in tree.words:
            yield line, f"{match[1]}.raw: shared words are touched only through include/arch/atomic.h"


def _loops(code):
    """(offset, head, body) of every while and for loop; a do-while has its condition as head and no body."""
    for match in re.finditer(r"\b(while|for)\s*\(", code):
        end = _balanced(code, match.end() - 1)
        head = code[match.end() : end - 1]
        if match[1] == "for":
            head = (head.split(";") + ["", ""])[1]
        rest = code[end:].lstrip()
        start = len(code) - len(rest)
        body = rest[: _balanced(code, start) - start] if rest[:1] == "{" else rest[: rest.find(";") + 1]
        do_while = code[: match.start()].rstrip().endswith("}") and body == ";"
        yield match.start(), head.strip(), None if do_while else body


def _balanced(code, start):
    """Offset behind the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] in "({") - (code[at] in ")}")
        if not depth:
            return at + 1
    return len(code)


@rule
def spin_loops(file, tree):
    """2. Spinning only by wait_until() and its kin. A retry around cas_full() is none: somebody else got on. Nor is
    a loop that has work to do meanwhile, and says so in the line above it: /* No spin: WHY */."""
    if not file.is_c or file.metal or file.path in ("smp/wait.c", "smp/wait.h", "include/arch/wait.h") or file.host_test:
        return
    for line, match in file.matches(r"\b(wait_pause|wait_halt|__builtin_ia32_pause|cpu_relax)\s*\("):
        yield line, f"{match[1]}: only smp/wait.c pauses; use wait_until() or wait_idle()"
    looks = re.compile(r"\b(load_relaxed|load_acquire|cas_full|xchg_full)\s*\(")
    lines = file.text.splitlines()
    for at, head, body in _loops(file.code):
        waits = looks.search(head if head not in ("", "1", "true") else body or "")
        retry = body is None and waits and waits[1] == "cas_full"
        number = file.code.count("\n", 0, at) + 1
        excused = number > 1 and re.match(r"\s*/\* No spin: .+ \*/$", lines[number - 2])
        if waits and not retry and not excused and not re.search(r"\bwait_(until|idle|alone)\s*\(", body or ""):
            yield number, "a loop that waits for a shared word: use wait_until(); or say why it is none: /* No spin: ... */"


@rule
def mapped_memory(file, tree):
    """3. Mapped memory only through access.h: an address struct never becomes a pointer outside arch/."""
    if not file.shared:
        return
    for line, match in file.matches(r"\*\s*\)\s*\(?\s*(?:\(\s*uintptr_t\s*\)\s*)?(\w[\w.\[\]]*(?:->[\w.\[\]]+)*\.raw)\b"):
        yield line, f"{match[1]} as a pointer: mapped memory is touched only through arch/access.h, frames through arch/frame.h"


@rule
def page_tables(file, tree):
    """4. Page tables only through pte.h; a translation is taken away only in the corridor."""
    if not file.shared or file.path == "include/arch/pte.h":
        return
    if file.path != "mm/shootdown/gather.c":
        for line, match in file.matches(r"\b(pte_exchange|pte_replace)\s*\("):
            yield line, f"{match[1]}: only mm/shootdown/gather.c takes translations away; use gather_clear() or gather_change()"
    if not file.under("tests/litmus") and file.path != "include/arch/litmus.h":
        for line, match in file.matches(r"\b(litmus_store_entry|litmus_insn)\s*\("):
            yield line, f"{match[1]}: only for litmus shapes (tests/litmus), which store entries in wrong orders on purpose"
    for line, match in file.matches(r"\b(slot->word|slot\.word|\w*pte\w*\.raw)\b"):
        yield line, f"{match[1]}: page tables and entries are handled only through arch/pte.h"


@rule
def instructions(file, tree):
    """6. No asm, no volatile outside metal/ and sim/."""
    if not file.is_c or file.metal:
        return
    for line, match in file.matches(r"\b(asm|__asm|__asm__|volatile|__volatile__)\b"):
        yield line, f"{match[1]}: only arch/*/metal/ and sim/ hold instructions; the order of accesses is stated by arch/atomic.h"


@rule
def arch_if(file, tree):
    """6. No architecture #if in shared code."""
    if not file.shared:
        return
    for line, _ in file.matches(r"^[ \t]*#[ \t]*(?:el)?if.*(?i:x86|amd64|aarch64|arm64|__arm|\bSIM\b)"):
        yield line, "an architecture #if in shared code: the difference belongs behind include/arch/"


# Floor by directory; a file includes only what is on its floor or below. include/ is for everyone.
FLOORS = {"lib": 0, "arch": 1, "smp": 2, "mm": 3, "task": 4, "bench": 5, "tests": 5, "boot": 6}
TOP_FLOOR = 6
GENERATED = {"build_id.h"}  # by the Makefile


@rule
def floors(file, tree):
    """The include directions of the house. machine.h is made of all floors; tests of the host are programs of their own."""
    if not file.is_c or file.path == "include/machine.h" or file.host_test:
        return
    here = FLOORS.get(file.path.split("/")[0], TOP_FLOOR)  # sim/ and include/ stand beside the house
    # The path stands in a string, which code_of() blanks: look at the text where the code still has the directive.
    for number, (code, text) in enumerate(zip(file.code.splitlines(), file.text.splitlines()), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', text)
        if not match or not re.match(r"\s*#\s*include", code):
            continue
        path = match[1]
        in_include = f"include/{path}" in tree.paths
        if path.startswith(".") or "/" not in path and not in_include and path not in GENERATED:
            yield number, f'"{path}": includes are by path from the root, or from include/'
        there = FLOORS.get(path.split("/")[0])
        if not in_include and there is not None and there > here:
            yield number, f'"{path}" is above {file.path.split("/")[0]}/: a floor includes only what is below it'


QUIET = ("bench/", "mm/", "task/", "smp/")
PRINTERS = ("bench/harness.c", "bench/report.c", "smp/watchdog.c")  # between cells; after one; when a CPU is stuck


@rule
def quiet(file, tree):
    """Nothing is printed where it may be measured: a serial line takes longer than anything else here."""
    if not file.is_c or not file.path.startswith(QUIET) or file.path in PRINTERS:
        return
    for line, match in file.matches(r"\b(kprintf|console_write|platform_console_write|record_(?:begin|end))\s*\("):
        yield line, f"{match[1]}: printed is only between measurements, in {', '.join(PRINTERS)}"


@rule
def license_line(file, tree):
    """The first line (the second of a script) says the license."""
    first = file.text.splitlines()[:2]
    if file.path.endswith((".md", ".txt")) or not file.text.strip():
        return
    wanted = "SPDX-License-Identifier: BSD-2-Clause"
    wanted = f"/* {wanted} */" if file.path.endswith((".c", ".h", ".S", ".ld")) else f"# {wanted}"
    if wanted not in (first[1:] if first and first[0].startswith("#!") else first[:1]):
        yield 1, f"'{wanted}' is missing"


@rule
def line_length(file, tree):
    """132 columns; a tab is 8. Prose and its tables (.md) may be wider."""
    if file.path.endswith(".md"):
        return
    for number, line in enumerate(file.text.splitlines(), 1):
        if len(line.expandtabs(8)) > 132:
            yield number, f"{len(line.expandtabs(8))} columns, at most 132"


@rule
def line_ends(file, tree):
    """No white space at the end of a line, and a newline at the end of the file."""
    for number, line in enumerate(file.text.split("\n"), 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
    if file.text and not file.text.endswith("\n"):
        yield file.text.count("\n") + 1, "no newline at the end of the file"


@rule
def comment_style(file, tree):
    """C comments are block comments."""
    if file.is_c:
        for number, line in enumerate(source.comments_of(file.text).splitlines(), 1):
            if re.match(r"\s*//", line):
                yield number, "comments are /* */"


@rule
def comment_names(file, tree):
    """A function that a comment names exists: prose that refers to what has gone misleads. A comment on Linux may name Linux's."""
    if not file.is_c:
        return
    text = source.comments_of(file.text)
    for comment in re.finditer(r"/\*.*?\*/", text, re.S):
        if re.search(r"\blinux\b", comment[0], re.I):
            continue
        for match in re.finditer(r"(?<![\w'])([a-z_]\w*)\(\)", comment[0]):
            if match[1] not in tree.names:
                yield text.count("\n", 0, comment.start() + match.start()) + 1, f"{match[1]}() is not in the tree"


def lint(files, only=None):
    """All findings as (path, line, rule, message)."""
    tree = Tree(files)
    out = []
    for one in RULES:
        if only and one.rule != only:
            continue
        for file in files:
            out += [(file.path, line, one.rule, message) for line, message in one(file, tree)]
    return sorted(out)
