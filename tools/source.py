# SPDX-License-Identifier: BSD-2-Clause
"""The source tree as the lint sees it: which files there are, and C text with its comments or strings blanked out."""

import re

C_SUFFIXES = (".c", ".h")
ALL_SUFFIXES = C_SUFFIXES + (".S", ".py", ".sh", ".mk", ".ld", ".in", ".md", ".txt")
SKIPPED = {".git", "build", "results", "__pycache__", "third_party"}  # the last: others' files, which stay as they are

# A comment, a string, or a character constant: whichever begins first wins, so that "/*" in a string is no comment.
_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def code_of(text):
    """Only code: comments blank, strings empty; every line keeps its number and every column its place."""

    def blank(match):
        token = match[0]
        return _blank(token) if token[0] == "/" else token[0] + _blank(token[1:-1]) + token[-1]

    return _TOKEN.sub(blank, text)


def comments_of(text):
    """Only comments."""
    out, at = [], 0
    for match in _TOKEN.finditer(text):
        if match[0][0] == "/":
            out += [_blank(text[at : match.start()]), match[0]]
            at = match.end()
    return "".join(out) + _blank(text[at:])


class File:
    """`path` is relative to the tree, with "/"."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.is_c = path.endswith(C_SUFFIXES)
        self.code = code_of(text) if self.is_c else text

    def under(self, *directories):
        return self.path.startswith(tuple(d + "/" for d in directories))

    @property
    def metal(self):
        """Where single instructions and the compiler's atomics live: the metal, the simulator, the unit tests' stand-ins for it."""
        return bool(re.match(r"arch/[^/]+/metal/|sim/|tests/unit/host/", self.path))

    @property
    def host_test(self):
        """A program of the host, unit test or fuzz target, that the kernel's sources are linked into."""
        return self.under("tests/unit", "tests/fuzz")

    @property
    def shared(self):
        """Kernel code that is the same on every architecture."""
        return self.is_c and not self.host_test and not self.under("arch", "sim", "tools")

    def matches(self, pattern):
        """(line number, match) of a regular expression in the code."""
        for match in re.finditer(pattern, self.code, re.M):
            yield self.code.count("\n", 0, match.start()) + 1, match


def tree(top):
    """All source files below `top`."""
    out = []
    for path in sorted(top.rglob("*")):
        relative = path.relative_to(top)
        if SKIPPED & set(relative.parts) or not path.is_file():
            continue
        if path.suffix in ALL_SUFFIXES or path.name in ("Makefile", "tlblab", "run"):
            out.append(File(relative.as_posix(), path.read_text(encoding="utf-8", errors="replace")))
    return out
