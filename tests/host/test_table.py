# SPDX-License-Identifier: BSD-2-Clause
"""The table and the CSV say what the records say."""

import csv
import pathlib
import tempfile
import unittest

import common  # noqa: F401
import records
import runs
import synthetic
import table


def log(fields=None):
    return runs.judge(records.scan(synthetic.log(synthetic.lines(fields=fields))))


class Values(unittest.TestCase):
    def setUp(self):
        self.table = table.Table(log().of_type("result"))
        self.row = self.table.rows["latency", "", 2, 1]

    def test_time_and_ratio(self):
        self.assertEqual(self.table.time(self.row, "lazy"), 500)
        self.assertEqual(self.table.ratio(self.row, "lazy"), 0.5)
        self.assertEqual(self.table.ratio(self.row, "ipi"), 1)

    def test_ticks(self):
        self.assertEqual(table.Table(log().of_type("result"), ticks=True).time(self.row, "lazy"), 1000)

    def test_counts_per_operation(self):
        self.assertEqual(table.per_op(self.row["lazy"], "ipis_sent"), 0.5)
        self.assertEqual(table.per_op(self.row["lazy"], "flush_"), 1.5)
        self.assertEqual(table.per_op(self.row["lazy"], "no_such"), 0)

    def test_pages_and_needless_requests_are_no_flushes(self):
        self.assertEqual(table.per_op(self.row["ipi"], "flush_"), 2)

    def test_no_ratio_without_ipi(self):
        self.assertIsNone(self.table.ratio(self.table.rows["lazy", "lazy=2", 2, 1], "lazy"))

    def test_missing_cell(self):
        self.assertEqual(self.table.cell(self.table.rows["latency", "", 2, 33], "lazy"), ("-", "-"))

    def test_what_has_no_strategy_is_no_column(self):
        self.assertEqual(self.table.strategies, ["ipi", "lazy"])
        self.assertTrue(any(line.startswith("ipi ") and "450" in line for line in self.table.lines()))

    def test_short(self):
        shown = [table.short(v) for v in (None, 0, 1, 0.25, 1.5, 12.34, 123.4, 123456)]
        self.assertEqual(shown, ["-", "0", "1", "0.25", "1.50", "12.3", "123", "123456"])


class Layout(unittest.TestCase):
    NAMES = ["none", "ipi", "lazy", "linux-6.1", "ipi+lazy+loaded+trim+ceiling=512", "invlpgb", "tlbi-is", "batch", "latr"]

    def test_fits_the_terminal_and_loses_nothing(self):
        wide = {"cpus": 1024, "pages": 512, "params": "lazy=128", "ipis_sent": [12345, 1, 2]}
        fields = [synthetic.result("switch", name, 123456789, **wide) for name in self.NAMES]
        lines = table.Table(log(fields).of_type("result")).lines()
        self.assertLessEqual(max(map(len, lines)), table.WIDTH)
        text = "\n".join(lines)
        for name in self.NAMES:
            self.assertIn(name, text)
        heads = [line for line in lines if line.startswith("benchmark")]
        self.assertGreater(len(heads), 1)
        self.assertTrue(all(" ipi " in line + " " for line in heads))

    def test_the_emulator_is_named(self):
        text = table.text(log())
        self.assertIn("Emulated by qemu-tcg", text)
        self.assertIn("QEMU TCG CPU", text)

    def test_an_emulated_strategy_has_counts_but_no_time(self):
        fields = synthetic.FIELDS + [
            {"type": "left-out", "tlb": "invlpgb", "why": "this CPU has no INVLPGB"},
            synthetic.result("latency", "invlpgb", 77, ipis_sent=[20, 0, 20], emulated=True),
        ]
        shown = table.text(log(fields))
        self.assertIn("Without invlpgb: this CPU has no INVLPGB.", shown)
        self.assertIn("emulated: ", shown)
        made = table.Table(log(fields).of_type("result"))
        row = made.rows["latency", "", 2, 1]
        self.assertIsNone(made.ratio(row, "invlpgb"))
        self.assertEqual([cell.split() for cell in made.cell(row, "invlpgb")], [["emulated"], ["2", "0"]])

    def test_hardware_has_no_warning(self):
        fields = [f | {"emulator": "none"} if "emulator" in f else f for f in synthetic.FIELDS]
        self.assertNotIn("Emulated", table.text(log(fields)))


class Csv(unittest.TestCase):
    def test_every_field_of_every_result(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "table.csv"
            table.write_csv(log(), path)
            rows = list(csv.DictReader(path.read_text().splitlines()))
        results = log().of_type("result")
        self.assertEqual(len(rows), len(results))
        for row, result in zip(rows, results):
            bare = {name.split(" ")[0]: value for name, value in row.items()}
            for name, value in result.fields.items():
                if isinstance(value, list):
                    self.assertEqual([bare[f"{name}_{p}"] for p in ("sum", "min", "max")], [str(v) for v in value])
                elif name != "type":
                    self.assertEqual(bare[name], str(value).lower() if isinstance(value, bool) else str(value))
            self.assertEqual(bare["flush_full_sum"], str(result.get("flush_full", [0])[0]))
        self.assertIn("p50 [ticks]", rows[0])
        self.assertIn("p50_ns [ns]", rows[0])


if __name__ == "__main__":
    unittest.main()
