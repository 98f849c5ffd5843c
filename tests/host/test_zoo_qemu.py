# SPDX-License-Identifier: BSD-2-Clause
"""What the zoo's entries say of QEMU: tables [qemu], the two boots of each, and that a boot which proves nothing is no success."""

import pathlib
import re
import shutil
import tempfile
import unittest

import common  # first: it makes tools/ importable
import emulator
import errors
import synthetic
import zoo
import zoo_qemu
from test_zoo import KNOB, WHOLE

TABLE = '[qemu]\ntest = "kernel_unmap"\n'


class Temporary(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.top)

    def entry(self, text):
        path = self.top / "X1.toml"
        path.write_text(text, encoding="utf-8")
        return zoo.Entry(path)


class Tables(Temporary):
    def test_what_is_not_said_is_the_entry_s(self):
        entry = self.entry(WHOLE + TABLE)
        self.assertEqual((zoo_qemu.arch(entry), zoo_qemu.cpus(entry)), ("x86_64", zoo_qemu.CPUS))
        self.assertEqual(zoo_qemu.words(entry), ["tests=kernel_unmap", "bench=none", "tlb=ipi"])
        self.assertEqual(zoo_qemu.row(entry), "| X1 | `kernel_unmap` | 4 CPUs, `tlb=ipi` |\n")

    def test_what_is_said(self):
        entry = self.entry(WHOLE + TABLE + 'tlb = "tlbi-is"\ncpus = 40\noptions = ["rounds=9"]\narch = "arm64"\n')
        self.assertEqual((zoo_qemu.arch(entry), entry.arch), ("arm64", "x86_64"))
        self.assertEqual(zoo_qemu.row(entry), "| X1 | `kernel_unmap` | arm64, 40 CPUs, `tlb=tlbi-is rounds=9` |\n")

    def test_once_for_both_ISAs(self):
        (self.top / "X1.toml").write_text(WHOLE + "[arm64]\n" + TABLE, encoding="utf-8")
        (self.top / "X2.toml").write_text(WHOLE.replace("X1", "X2"), encoding="utf-8")
        saved, zoo.ENTRIES = zoo.ENTRIES, self.top
        self.addCleanup(setattr, zoo, "ENTRIES", saved)
        self.assertEqual([entry.name for entry in zoo_qemu.entries()], ["X1"])

    def test_what_is_wrong_is_said_in_one_line(self):
        for name, text, said in (
            ("no test", WHOLE + "[qemu]\ncpus = 4\n", "test is missing, or no str"),
            ("an unknown field", WHOLE + TABLE + 'oracle = "O-STALE"\n', "unknown field oracle"),
            ("another type", WHOLE + TABLE + 'cpus = "4"\n', "cpus is missing, or no int"),
            ("no ISA", WHOLE + TABLE + 'arch = "ia64"\n', "unknown arch ia64"),
            ("the hardware is what is wrong", KNOB + TABLE, "QEMU can't show it"),
        ):
            with self.subTest(name), self.assertRaises(errors.Error) as raised:
                self.entry(text)
            self.assertIn(said, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))


class Boots(Temporary):
    """Shown, with kernels that say what the test wants."""

    def shown(self, clean, bug):
        saved = zoo_qemu.boot, zoo_qemu.build_copy, zoo_qemu.build.make
        zoo_qemu.boot = lambda entry, kernel, log: bug if kernel == "mutant" else clean
        zoo_qemu.build_copy, zoo_qemu.build.make = lambda entry, copy: "mutant", lambda *arguments, quiet: None
        try:
            return zoo_qemu.Shown(self.entry(WHOLE + TABLE))
        finally:
            zoo_qemu.boot, zoo_qemu.build_copy, zoo_qemu.build.make = saved

    def test_shown(self):
        shown = self.shown(("ok", ""), ("not ok", "3 stale accesses"))
        self.assertEqual((shown.wrong, shown.said), ([], "3 stale accesses"))

    def test_what_shows_nothing(self):
        failed = ("not ok", "why")
        for name, clean, bug, said in (
            ("the kernel as it is fails too", failed, failed, "without the bug: not ok"),
            ("the test is not run", ("skip", "needs 33 CPUs"), failed, "without the bug: skip: needs 33 CPUs"),
            ("nothing is said of it", (None, "x"), failed, "without the bug: None"),
            ("it passes", ("ok", ""), ("ok", ""), "with the bug: ok"),
            ("it is skipped", ("ok", ""), ("skip", "x"), "with the bug: skip"),
            ("the kernel ends before it has", ("ok", ""), (None, "x"), "with the bug: None"),
        ):
            with self.subTest(name):
                self.assertIn(said, "\n".join(self.shown(clean, bug).wrong))

    def boot(self, *lines):
        def run(machine, log, timeout, limit, look):
            before = timeout()
            look(b"".join(lines))
            self.waits = (before, timeout())
            return emulator.Outcome("QEMU", None, "silence", 0)

        saved, emulator.run = emulator.run, run
        try:
            return zoo_qemu.boot(self.entry(WHOLE + TABLE), "kernel", self.top / "log")
        finally:
            emulator.run = saved

    def test_a_boot_lasts_until_the_record_of_the_test(self):
        record = synthetic.wire(0, {"type": "test", "test": "kernel_unmap", "result": "not ok", "detail": "d"}) + b"\n"
        self.assertEqual(self.boot(record), ("not ok", "d"))
        self.assertEqual(self.waits, (zoo_qemu.SILENCE, 0))

    def test_a_boot_that_says_nothing(self):
        result, why = self.boot(b"no record\n")
        self.assertIsNone(result)
        self.assertIn("silence", why)
        self.assertEqual(self.waits, (zoo_qemu.SILENCE, zoo_qemu.SILENCE))


class Tree(unittest.TestCase):
    """The real entries."""

    def test_every_guest_test_is_there(self):
        tests = "".join(path.read_text(encoding="utf-8") for path in (common.TOP / "tests" / "guest").glob("*.c"))
        self.assertTrue(zoo_qemu.entries())
        for entry in zoo_qemu.entries():
            self.assertTrue(re.search(rf"\bTEST\({entry.qemu['test']},", tests), entry.id)


if __name__ == "__main__":
    unittest.main()
