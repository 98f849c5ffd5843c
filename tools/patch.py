# SPDX-License-Identifier: BSD-2-Clause
"""
Unified diffs (as `git diff` or `diff -u` write them), applied to a tree of files. Of existing files only, and strictly: a hunk goes
where its old lines stand, at the line it says or, if that is the only one, elsewhere. No fuzz: what was meant is not guessed.
"""

import re

import errors

HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class Hunk:
    def __init__(self, head, number):
        match = HUNK.match(head)
        self.head, self.number, self.start = match[0], number, int(match[1])
        self.wanted = [int(match[2] or 1), int(match[4] or 1)]  # lines, old and new
        self.old, self.new = [], []

    @property
    def whole(self):
        return [len(self.old), len(self.new)] == self.wanted

    def add(self, line):
        """A line of it; False: it is none."""
        if line[:1] not in (" ", "-", "+", ""):
            return False
        if line[:1] != "+":
            self.old.append(line[1:])
        if line[:1] != "-":
            self.new.append(line[1:])
        return True

    def place(self, lines, shift):
        """Where its old lines stand, by index; None: nowhere, or nobody knows which."""
        def there(at):
            return at >= 0 and lines[at:at + len(self.old)] == self.old

        at = self.start - 1 + shift
        if there(at):
            return at
        found = [i for i in range(len(lines)) if self.old and there(i)]
        return found[0] if len(found) == 1 else None


def _name(line):
    name = line[4:].split("\t")[0].strip()
    return re.sub(r"^[ab]/", "", name)


def parse(text, what):
    """[(file, hunks)]. `what`: how messages call the patch."""
    files, hunk, old = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        if hunk and not hunk.whole:
            if not hunk.add(line):
                raise errors.usage(f"{what}: line {number} is no line of a hunk: {line!r}")
        elif line.startswith("--- "):
            old = _name(line)
        elif line.startswith("+++ "):
            new = _name(line)
            if "/dev/null" in (old, new):
                raise errors.usage(f"{what}: line {number} makes or removes a file; changes of existing files are accepted")
            files.append((new, []))
            hunk = None
        elif HUNK.match(line):
            if not files:
                raise errors.usage(f"{what}: line {number}: a hunk before any '+++ FILE'")
            hunk = Hunk(line, len(files[-1][1]) + 1)
            files[-1][1].append(hunk)
    if hunk and not hunk.whole:
        raise errors.usage(f"{what}: ends inside hunk {hunk.number} ({hunk.head}) of {files[-1][0]}")
    if not files or not all(hunks for _, hunks in files):
        raise errors.usage(f"{what}: no unified diff (accepted is what `git diff` or `diff -u` writes)")
    return files


def apply(text, top, what):
    """To the files under `top`; an error names the hunk that does not apply."""
    for name, hunks in parse(text, what):
        path = (top / name).resolve()
        if not path.is_relative_to(top.resolve()) or not path.is_file():
            raise errors.usage(f"{what}: no file {name} in what the simulator is made of")
        lines, shift = path.read_text(encoding="utf-8").split("\n"), 0
        for hunk in hunks:
            at = hunk.place(lines, shift)
            if at is None:
                raise errors.usage(f"{what}: hunk {hunk.number} ({hunk.head}) of {name} does not apply: its old lines are not "
                                   "there, or several times")
            lines[at:at + len(hunk.old)] = hunk.new
            shift = at - (hunk.start - 1) + len(hunk.new) - len(hunk.old)
        path.write_text("\n".join(lines), encoding="utf-8")
