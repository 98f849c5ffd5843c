# SPDX-License-Identifier: BSD-2-Clause
"""The zoo's data: every entry is whole, its text is there exactly once, docs/zoo.md has it; what is wrong is said in one line."""

import pathlib
import re
import shutil
import tempfile
import unittest

import common  # first: it makes tools/ importable
import errors
import sim
import zoo

WHOLE = """id = "X1"
title = "t"
system = "s"
references = []
mutation = "m"
scenario = "halted"
tlb = "ipi"
cpus = 2
options = []
oracle = "O-STALE"
also = []
budget = 10

[[edit]]
file = "mm/a.c"
old = "once\\n"
new = "twice\\n"
"""

KNOB = re.sub(r"\[\[edit.*", 'knobs = ["tlbsync-early"]\n', WHOLE, flags=re.S)


class Temporary(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.top)

    def entry(self, text=WHOLE, name="X1.toml"):
        path = self.top / name
        path.write_text(text, encoding="utf-8")
        return zoo.Entry(path)


class Entries(Temporary):
    def test_a_whole_one(self):
        entry = self.entry()
        self.assertEqual((entry.id, entry.cpus, entry.edit[0]["new"]), ("X1", 2, "twice\n"))

    def test_one_by_knob(self):
        self.assertEqual((self.entry(KNOB).knobs, self.entry(KNOB).cured_by), (["tlbsync-early"], None))
        self.assertEqual(self.entry(KNOB + "cured_by = []\n").cured_by, [])

    def test_the_same_on_arm64(self):
        path = self.top / "X1.toml"
        text = WHOLE.replace("options = []", 'options = ["--pcid"]') + "[arm64]\noptions = []\ncpus = 3\n"
        path.write_text(text, encoding="utf-8")
        here, there = zoo.Entry(path), zoo.Entry(path, there=True)
        self.assertEqual((here.name, here.arch, here.options, here.cpus), ("X1", "x86_64", ["--pcid"], 2))
        self.assertEqual((there.name, there.arch, there.options, there.cpus), ("X1 on arm64", "arm64", [], 3))
        self.assertEqual((there.edit, there.oracle, there.id), (here.edit, here.oracle, here.id))
        self.assertNotEqual(there.copy, here.copy)
        self.assertNotEqual(there.clean, here.clean)
        saved, zoo.ENTRIES = zoo.ENTRIES, self.top
        self.addCleanup(setattr, zoo, "ENTRIES", saved)
        self.assertEqual([entry.name for entry in zoo.entries()], ["X1", "X1 on arm64"])
        self.assertEqual([line.split(" | ")[0] for line in map(zoo.row, zoo.entries(), (1, 2))], ["| X1", "| X1 on arm64"])

    def test_what_is_wrong_is_said_in_one_line(self):
        wrong = {
            "a field that is not of the run": (WHOLE + '[arm64]\nmutation = "m"\n', "unknown field mutation"),
            "another type on arm64": (WHOLE + "[arm64]\noptions = 1\n", "options is missing, or no list"),
            "arm64 twice": ('arch = "arm64"\n' + WHOLE + "[arm64]\n", "needs no table"),
            "no TOML": ("id = ", "X1"),
            "a field is missing": (WHOLE.replace('oracle = "O-STALE"\n', ""), "oracle is missing"),
            "an unknown field": ('colour = "red"\n' + WHOLE, "unknown field colour"),
            "another type": (WHOLE.replace("cpus = 2", 'cpus = "2"'), "cpus is missing, or no int"),
            "another name": (WHOLE.replace("X1", "X2"), "id is the file's name"),
            "no edit": (re.sub(r"\[\[edit.*", "edit = []", WHOLE, flags=re.S), "[[edit]]"),
            "no knob": (KNOB.replace('"tlbsync-early"', ""), "knobs are named"),
            "a knob and an edit": ('knobs = ["tlbsync-early"]\n' + WHOLE, "unknown field edit"),
            "a cure of an edit": ("cured_by = []\n" + WHOLE, "unknown field cured_by"),
            "a cure of another type": (KNOB + 'cured_by = "x"\n', "cured_by is missing, or no list"),
            "half an edit": (WHOLE.replace('new = "twice\\n"', ""), "[[edit]]"),
        }
        for name, (text, said) in wrong.items():
            with self.subTest(name), self.assertRaises(errors.Error) as raised:
                self.entry(text)
            self.assertIn(said, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))


class Mutate(Temporary):
    def mutate(self, text):
        (self.top / "mm").mkdir()
        path = self.top / "mm" / "a.c"
        if text is not None:
            path.write_text(text, encoding="utf-8")
        zoo.mutate(self.entry(), self.top)
        return path.read_text(encoding="utf-8")

    def test_once(self):
        self.assertEqual(self.mutate("a\nonce\nb\n"), "a\ntwice\nb\n")

    def test_what_does_not_occur_exactly_once_is_refused(self):
        for text, said in (("a\n", "0 times"), ("once\nonce\n", "2 times"), (None, "no file mm/a.c")):
            with self.subTest(said), self.assertRaises(errors.Error) as raised:
                self.setUp()
                self.mutate(text)
            self.assertIn(said, str(raised.exception))
            self.assertIn("X1", str(raised.exception))


class Judge(Temporary):
    """Verdicts, with a simulator that says what the test wants."""

    FOUND = "violation {} in halted under ipi, schedule 4\n{}: why\n"

    def judge(self, clean=(0, ""), caught=(1, FOUND.format("O-STALE", "x")), alone=(1, FOUND.format("O-FRAME", "x")),
              through=(0, "")):
        def run(*words, binary):
            if binary is sim.BINARY or "--only" in words:
                return clean if binary is sim.BINARY else alone
            return through if words.count("--without") > len(also) else caught

        also = ["O-FRAME"]
        entry = self.entry(WHOLE.replace("also = []", 'also = ["O-FRAME"]'))
        saved = zoo.build_copy, sim.run
        zoo.build_copy, sim.run = lambda entry: pathlib.Path("mutant"), run
        try:
            return zoo.Verdict(entry, 2)
        finally:
            zoo.build_copy, sim.run = saved

    def test_caught(self):
        verdict = self.judge()
        self.assertEqual((verdict.wrong, verdict.schedules, verdict.median), ([], [5, 5], 5))

    def test_what_must_not_pass(self):
        for name, cases, said in (
            ("the sources have it too", {"clean": (1, self.FOUND.format("O-STALE", "x"))}, "without the bug: O-STALE"),
            ("nothing could have been found", {"clean": (1, "vacuous: ...\n")}, "without the bug: vacuous"),
            ("nobody speaks", {"caught": (0, "")}, "seed 1: nobody speaks"),
            ("another speaks", {"caught": (1, self.FOUND.format("O-TABLE", "x"))}, "seed 1: O-TABLE speaks, not O-STALE"),
            ("one of `also` sees nothing", {"alone": (0, "")}, "O-FRAME alone does not speak"),
            ("another would do", {"through": (1, self.FOUND.format("O-TABLE", "x"))}, "without O-STALE: O-TABLE speaks"),
        ):
            with self.subTest(name):
                self.assertIn(said, "\n".join(self.judge(**cases).wrong))

    def test_a_knob_is_turned_for_the_bug_only_and_its_cure(self):
        runs = []

        def run(*words, binary):
            runs.append((binary, "--knob" in words, "--pcid" in words))
            bug = "--knob" in words and "--pcid" in words and "--without" not in words
            return (1, self.FOUND.format("O-STALE", "x")) if bug else (0, "")

        saved = zoo.COPIES, sim.run
        zoo.COPIES, sim.run = self.top, run
        try:
            entry = self.entry(KNOB.replace("options = []", 'options = ["--pcid"]') + "cured_by = []\n")
            self.assertEqual(zoo.Verdict(entry, 1).wrong, [])
            entry.cured_by = ["--pcid"]
            self.assertIn("with its cure: O-STALE", zoo.Verdict(entry, 1).wrong[0])
        finally:
            zoo.COPIES, sim.run = saved
        self.assertEqual(runs[:4], [(sim.BINARY, *switches) for switches in
                                    ((False, True), (True, False), (True, True), (True, True))])

    def test_a_simulator_that_does_not_run_is_an_error(self):
        with self.assertRaises(errors.Error):
            self.judge(caught=(2, "tlblab sim: --scenario x: unknown\n"))


class Tree(unittest.TestCase):
    """The real entries, and the tree as it is."""

    def test_every_text_is_there_once(self):
        for entry in zoo.entries():
            for edit in entry.edit:
                with self.subTest(entry.id):
                    self.assertEqual((common.TOP / edit["file"]).read_text(encoding="utf-8").count(edit["old"]), 1)
                    self.assertNotEqual(edit["old"], edit["new"])

    def test_every_scenario_is_there(self):
        tests = "".join(path.read_text(encoding="utf-8") for path in (common.TOP / "tests" / "guest").glob("*.c"))
        for entry in zoo.entries():
            test = entry.scenario.removeprefix("test:")
            there = (common.TOP / "tests" / "sim" / f"{test}.c").is_file() if test == entry.scenario else f"TEST({test}," in tests
            self.assertTrue(there, entry.name)

    def test_each_oracle_is_needed(self):
        """By an entry that goes through without it. O-RACE: step sim-race plants one."""
        names = re.findall(r'{ "(.*?)" }', (common.TOP / "sim" / "oracle_list.c").read_text(encoding="utf-8"))
        self.assertIn("O-STALE", names)
        self.assertEqual(set(names) - {"O-RACE"} - {entry.oracle for entry in zoo.entries()}, set())

    def test_the_table_has_them_all(self):
        """All but the number of schedules, which every change of the sources changes."""
        without_numbers = re.compile(r"\d+ \|$", re.M)
        wanted = zoo.table((entry, 0) for entry in zoo.entries())
        self.assertEqual(without_numbers.sub("", zoo.DOCS.read_text(encoding="utf-8")), without_numbers.sub("", wanted),
                         "./tlblab zoo --write writes it anew")


class Catalogue(unittest.TestCase):
    def test_what_the_simulator_lists(self):
        saved, sim.run = sim.run, lambda *words, binary: (0, "halted      2 CPUs and more; x\ntest:a       33 CPUs and more; y\n"
                                                             "tlb:ipi   z\ntlb:lazy  z\n")
        self.addCleanup(setattr, sim, "run", saved)
        names = [cell.name for cell in sim.cells()]
        self.assertEqual(names, ["halted ipi 2 CPUs", "halted lazy 2 CPUs", "test:a ipi 33 CPUs", "test:a lazy 33 CPUs"])
        self.assertEqual([cell.name for cell in sim.cells(tlb="x", cpus=4)], ["halted x 4 CPUs"])


if __name__ == "__main__":
    unittest.main()
