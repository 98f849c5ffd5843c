# SPDX-License-Identifier: BSD-2-Clause
"""The schema notices what does not belong to a record, what lacks and what is wrong; and a run that has such a record is wrong."""

import types
import unittest

import common  # noqa: F401
import records
import runs
import schema
import synthetic
import trial

VALUES = {schema.TEXT: "x", schema.NUMBER: 1, schema.FLAG: True, schema.LIST: [1, -1]}


def good(name):
    return {"type": name} | {field: VALUES[f.kind] for field, f in schema.TYPES[name].fields.items()}


class Schema(unittest.TestCase):
    def test_every_type(self):
        for name, kind in schema.TYPES.items():
            self.assertEqual(schema.problems_of(good(name)), [])
            for field, f in kind.fields.items():
                without = {k: v for k, v in good(name).items() if k != field}
                self.assertEqual(schema.problems_of(without), [] if f.may else [f"{name}: {field} is missing"])
                for value in (None, -1, 1.5, [True], {}, *(v for k, v in VALUES.items() if k != f.kind)):
                    self.assertEqual(len(schema.problems_of(good(name) | {field: value})), 1, (name, field, value))
            for value in ("x", 1, [2, 0, 1]):
                allowed = name == "options" and value == "x"
                self.assertEqual(len(schema.problems_of(good(name) | {"Other": value})), 1)
                wrong = schema.problems_of(good(name) | {"other": value})
                self.assertEqual(wrong != [], not allowed and not (name == "result" and value == [2, 0, 1]), (name, value))

    def test_counters(self):
        for value in ([2, 1, 0], [1, 0, 2], [1, 1], [1.0, 0, 1], [2, 0, True]):
            self.assertEqual(len(schema.problems_of(good("result") | {"ipis_sent": value})), 1, value)

    def test_unknown_type(self):
        self.assertIn("unknown type new", schema.problems_of({"type": "new"})[0])

    def test_a_run_with_such_a_record_is_wrong(self):
        one = trial.Trial.__new__(trial.Trial)
        one.outcome = types.SimpleNamespace(ended=None, fits=lambda verdict: True)
        fields = [good("start"), good("note"), good("end") | {"records": 3, "verdict": "ok"}]
        for last, wrong in ({}, []), ({"new": "x"}, ["record 1, note: unknown field new, 'x' (tools/schema.py)"]):
            lines = [synthetic.wire(n, f | (last if n == 1 else {})) for n, f in enumerate(fields)]
            one.log = runs.judge(records.scan(b"\n".join(lines)))
            self.assertEqual(one.wrong, wrong)


if __name__ == "__main__":
    unittest.main()
