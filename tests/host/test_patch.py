# SPDX-License-Identifier: BSD-2-Clause
"""Unified diffs: where they go, and what is said of those that go nowhere."""

import tempfile
import unittest
from pathlib import Path

import common  # noqa: F401 (finds tools/)
import errors
import patch

OLD = "one\ntwo\nthree\nfour\nfive\n"


def diff(*hunks, name="a.c"):
    return f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n" + "".join(hunks)


class Patches(unittest.TestCase):
    def applied(self, text, old=OLD):
        with tempfile.TemporaryDirectory() as top:
            path = Path(top) / "a.c"
            path.write_text(old)
            patch.apply(text, Path(top), "p")
            return path.read_text()

    def refused(self, text, *wanted, old=OLD):
        with self.assertRaises(errors.Error) as caught:
            self.applied(text, old)
        self.assertEqual(caught.exception.status, errors.USAGE)
        self.assertNotIn("\n", str(caught.exception))
        for words in wanted:
            self.assertIn(words, str(caught.exception))

    def test_where_it_says(self):
        self.assertEqual(self.applied(diff("@@ -2,2 +2,1 @@\n-two\n-three\n+2 3\n")), "one\n2 3\nfour\nfive\n")

    def test_elsewhere_if_that_is_the_only_place(self):
        self.assertEqual(self.applied(diff("@@ -1,2 +1,2 @@ f\n-four\n+4\n five\n")), "one\ntwo\nthree\n4\nfive\n")

    def test_two_hunks(self):
        text = diff("@@ -1 +1,2 @@\n-one\n+1\n+1\n", "@@ -4,2 +5,1 @@\n four\n-five\n")
        self.assertEqual(self.applied(text), "1\n1\ntwo\nthree\nfour\n")

    def test_lines_that_are_not_there(self):
        self.refused(diff("@@ -1 +1 @@\n-one\n+1\n", "@@ -3,1 +3,1 @@\n-frob\n+3\n"), "hunk 2", "a.c", "does not apply")

    def test_two_places(self):
        self.refused(diff("@@ -9 +9 @@\n-x\n+y\n"), "hunk 1", old="x\nz\nx\n")

    def test_files_that_are_not_there(self):
        self.refused(diff("@@ -1 +1 @@\n-one\n+1\n", name="b.c"), "b.c")
        self.refused(diff("@@ -1 +1 @@\n-one\n+1\n", name="../a.c"), "../a.c")
        self.refused("--- /dev/null\n+++ b/a.c\n@@ -0,0 +1 @@\n+1\n", "line 2")

    def test_what_is_no_patch(self):
        self.refused("hello\n", "no unified diff")
        self.refused(diff(), "no unified diff")
        self.refused(diff("@@ -1,2 +1,2 @@\n-one\n"), "ends inside hunk 1")
        self.refused(diff("@@ -1,2 +1,2 @@\n-one\n*two\n"), "line 6")


if __name__ == "__main__":
    unittest.main()
