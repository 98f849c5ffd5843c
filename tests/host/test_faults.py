# SPDX-License-Identifier: BSD-2-Clause
"""A slice of the random faults of faults.py; and decoders that are wrong in one place, which they must show."""

import re
import unittest
from unittest import mock

import common  # noqa: F401
import faults
import records
import runs

COUNT = 300


class Faults(unittest.TestCase):
    def test_slice(self):
        self.assertEqual(faults.attempts(1, COUNT, faults.recorded()), [])

    def shows(self, *patch):
        logs = faults.recorded()
        with mock.patch.object(*patch):
            self.assertTrue(faults.attempts(1, COUNT, logs), patch)

    def test_a_checksum_that_is_not_looked_at(self):
        class Any(int):
            def __eq__(self, other):
                return True

            def __ne__(self, other):
                return False

        self.shows(records, "crc32c", lambda data: Any())

    def test_gaps_that_are_not_named(self):
        self.shows(runs._Run, "_lacks", lambda *arguments: [])

    def test_runs_that_are_not_told_apart(self):
        self.shows(runs._Run, "is_another", lambda *arguments: False)

    def test_escapes_that_stay(self):
        self.shows(records, "ESCAPE", re.compile(b"$^"))


if __name__ == "__main__":
    unittest.main()
