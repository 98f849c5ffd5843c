# SPDX-License-Identifier: BSD-2-Clause
"""Decoding a serial log: everything whole is found, every fault of a record is named, nothing else matters."""

import json
import unittest

import common  # noqa: F401
import errors
import records
import results
import runs
import synthetic

RESEND = b"\r\nsending all again"


def judged(data):
    return runs.judge(records.scan(data))


class Whole(unittest.TestCase):
    def test_crc_vector(self):
        self.assertEqual(records.crc32c(b"123456789"), 0xE3069283)

    def test_all_records_come_out_unchanged(self):
        log = judged(synthetic.log())
        self.assertEqual(log.problems, [])
        self.assertEqual([json.loads(r.text) for r in log.records], synthetic.records())
        self.assertEqual(log.verdict, "ok")
        self.assertEqual(results.status(log), errors.OK)

    def test_any_way_of_cutting_the_stream(self):
        data = synthetic.log()
        for size in (1, 7, 64, 1000):
            scanner, items = records.Scanner(), []
            for at in range(0, len(data), size):
                items += scanner.feed(data[at : at + size])
            log = runs.judge(items + scanner.end())
            self.assertEqual((log.problems, len(log.records)), ([], len(synthetic.records())))

    def test_noise_before_a_record_on_its_line(self):
        for noise in (b"Booting `tlblab'\x1b[0m ", b"\x1b[2J\x1b[1;1H", b"\x00\x00\xff\xfe garbage", b"\r\r", b"]0;title\x07"):
            lines = [noise + line for line in synthetic.lines()]
            self.assertEqual(judged(synthetic.log(lines)).problems, [], noise)

    def test_escape_sequences_in_a_record(self):
        lines = synthetic.lines()
        for n, line in enumerate(lines):
            for at in range(0, len(line), 9):
                broken = lines[:n] + [line[:at] + b"\x1b[31m" + line[at:]] + lines[n + 1 :]
                self.assertEqual(judged(synthetic.log(broken)).problems, [], (n, at))

    def test_last_line_without_an_end(self):
        self.assertEqual(judged(synthetic.log().rstrip(b"\r\n")).problems, [])

    def test_two_records_on_one_line(self):
        lines = synthetic.lines()
        self.assertEqual(judged(synthetic.log([lines[0] + lines[1]] + lines[2:])).problems, [])

    def test_every_verdict(self):
        for verdict, status in (("ok", errors.OK), ("failed", errors.FAILED), ("error", errors.ERROR), ("great", errors.ERROR)):
            self.assertEqual(results.status(judged(synthetic.log(synthetic.lines(verdict)))), status)

    def test_a_failed_test_is_not_ok_whatever_the_verdict(self):
        fields = synthetic.FIELDS + [{"type": "test", "test": "x", "strategy": "ipi", "result": "not ok", "detail": ""}]
        self.assertEqual(results.status(judged(synthetic.log(synthetic.lines("ok", fields)))), errors.FAILED)


class Faults(unittest.TestCase):
    """One fault in one record of a log of `n` records; each has to be named."""

    def broken(self, lines, name):
        log = judged(synthetic.log(lines))
        self.assertTrue(log.problems, name)
        self.assertEqual(results.status(log), errors.INCOMPLETE, name)
        return log.problems

    def setUp(self):
        self.lines = synthetic.lines()
        self.numbers = range(len(self.lines))

    def test_dropped(self):
        for n in self.numbers:
            text = " ".join(self.broken(self.lines[:n] + self.lines[n + 1 :], n))
            self.assertIn(f"record {n} missing" if n < self.numbers[-1] else "no end record", text)

    def test_several_dropped(self):
        self.assertIn("records 2-4, 7 missing", self.broken(self.lines[:2] + self.lines[5:7] + self.lines[8:], "several")[0])

    def test_doubled(self):
        for n in self.numbers[:-1]:  # the end record may come again
            self.assertIn(f"record {n} is doubled", " ".join(self.broken(self.lines[: n + 1] + self.lines[n:], n)))

    def test_doubled_elsewhere(self):
        for n in self.numbers[:-2]:
            self.broken(self.lines[: n + 2] + [self.lines[n]] + self.lines[n + 2 :], n)

    def test_swapped(self):
        for n in self.numbers[:-1]:
            swapped = self.lines[:n] + [self.lines[n + 1], self.lines[n]] + self.lines[n + 2 :]
            behind_end = n == self.numbers[-2]
            wanted = f"after the end came {n} again" if behind_end else f"record {n} is out of order"
            self.assertIn(wanted, " ".join(self.broken(swapped, n)))

    def test_changed(self):
        for n in self.numbers:
            for at in range(len(self.lines[n])):
                for flip in (0x01, 0x20, 0x80):
                    line = bytearray(self.lines[n])
                    line[at] ^= flip
                    self.broken(self.lines[:n] + [bytes(line)] + self.lines[n + 1 :], (n, at, flip))

    def test_truncated(self):
        for n in self.numbers:
            for at in range(len(self.lines[n])):
                self.broken(self.lines[:n] + [self.lines[n][:at]] + self.lines[n + 1 :], (n, at))
                self.broken(self.lines[:n] + [self.lines[n][at + 1 :]] + self.lines[n + 1 :], (n, -at))

    def test_head_and_tail_of_two(self):
        for n in self.numbers[:-1]:
            merged = self.lines[n][:40] + self.lines[n + 1][40:]
            self.broken(self.lines[:n] + [merged] + self.lines[n + 2 :], n)

    def test_log_cut_off(self):
        data = synthetic.log()
        for at in range(0, len(data) - 3, 11):
            self.assertTrue(judged(data[:at]).problems, at)

    def test_wrong_count(self):
        fields = synthetic.records()
        fields[-1] = fields[-1] | {"records": 3}
        self.assertIn("counts 3 records", " ".join(self.broken([synthetic.wire(n, f) for n, f in enumerate(fields)], "count")))

    def test_record_behind_the_end(self):
        extra = synthetic.wire(len(self.lines), {"type": "note", "text": "late"})
        self.assertIn("after the end record", " ".join(self.broken(self.lines + [extra], "late")))


class Resend(unittest.TestCase):
    def setUp(self):
        self.lines = synthetic.lines()

    def test_a_resend_is_no_error(self):
        log = judged(synthetic.log(self.lines + [RESEND] + self.lines))
        self.assertEqual((log.problems, len(log.records)), ([], len(self.lines)))
        self.assertTrue(log.notes)

    def test_it_repairs_any_loss(self):
        for n in range(len(self.lines)):
            for first in (self.lines[:n] + self.lines[n + 1 :], self.lines[:n] + [self.lines[n][:30]] + self.lines[n + 1 :]):
                self.assertEqual(judged(synthetic.log(first + [RESEND] + self.lines)).problems, [], n)
                if n < len(self.lines) - 1:
                    self.assertEqual(judged(synthetic.log(self.lines + [RESEND] + first)).problems, [], n)

    def test_not_what_was_lost_twice(self):
        first = self.lines[:3] + self.lines[4:]
        self.assertIn("record 3 missing", judged(synthetic.log(first + [RESEND] + first)).problems)

    def test_other_content_is_another_run(self):
        for n in range(len(self.lines) - 1):
            again = list(self.lines)
            again[n] = synthetic.wire(n, {"type": "note", "text": "another"})
            problems = judged(synthetic.log(self.lines + [RESEND] + again)).problems
            self.assertIn("another run begins at line", " ".join(problems))

    def test_what_was_asked_for(self):
        """Records 3 and 7 again, and the end record each second."""
        first = [line for n, line in enumerate(self.lines) if n not in (3, 7)]
        again = [self.lines[3], self.lines[7], self.lines[-1]]
        log = judged(synthetic.log(first + [self.lines[-1]] * 3 + again))
        self.assertEqual((log.problems, len(log.records)), ([], len(self.lines)))
        self.assertEqual(judged(synthetic.log(first)).missing, [3, 7])

    def test_a_resend_that_breaks_off(self):
        self.assertEqual(judged(synthetic.log(self.lines + self.lines[:5])).problems, [])  # all is there
        self.assertIn("after the end came 2-4", " ".join(judged(synthetic.log(self.lines + self.lines[2:5])).problems))


class Reboots(unittest.TestCase):
    """Several runs in one log: kept apart, each judged by itself."""

    def setUp(self):
        self.a = self.lines(begin=1)
        self.b = self.lines(begin=2)

    def lines(self, begin):
        fields = [dict(f) for f in synthetic.FIELDS]
        fields[0]["begin"] = begin
        fields = synthetic.records(fields=fields)
        fields[-1]["begin"] = begin
        return [synthetic.wire(n, f) for n, f in enumerate(fields)]

    def split(self, lines):
        return runs.split(records.scan(synthetic.log(lines)))

    def test_two_runs(self):
        for cut in range(1, len(self.a) + 1):
            first, second = self.split(self.a[:cut] + self.b)
            self.assertEqual((second.problems, second.first("start")["begin"]), ([], 2), cut)
            self.assertEqual(first.problems == [], cut == len(self.a), cut)
            self.assertEqual([r.seq for r in first.records], list(range(cut)))

    def test_three_and_a_resend(self):
        logs = self.split(self.a[:4] + self.b + self.b[5:7] + self.b[-1:] + self.a)
        self.assertEqual([len(log.records) for log in logs], [4, len(self.b), len(self.a)])
        self.assertEqual([bool(log.problems) for log in logs], [True, False, False])

    def test_the_second_one_lost_its_beginning(self):
        for lost in range(1, len(self.b)):
            logs = self.split(self.a + self.b[lost:])
            self.assertEqual([len(log.records) for log in logs], [len(self.a), len(self.b) - lost], lost)
            self.assertEqual([log.missing for log in logs], [[], list(range(lost))])

    def test_damage_at_the_seam_is_the_second_ones(self):
        logs = self.split(self.a + [self.b[0][:30] + self.b[0][31:]] + self.b[1:])
        self.assertEqual([bool(log.problems) for log in logs], [False, True])

    def test_a_second_one_that_breaks_off_does_not_pass_for_a_resend(self):
        for part in (self.b[:3], self.b[1:3], self.b[4:9]):
            logs = self.split(self.a + part)
            self.assertTrue(any(log.problems for log in logs), part)


class Collect(unittest.TestCase):
    """The command, as a process."""

    def test_stdin(self):
        status, out, err = common.tlblab("collect", "-", stdin=synthetic.log())
        self.assertEqual(status, errors.OK, err)
        self.assertIn("latency", out)

    def test_status_and_message_of_a_damaged_log(self):
        status, _, err = common.tlblab("collect", "-", stdin=synthetic.log(synthetic.lines()[:3] + synthetic.lines()[4:]))
        self.assertEqual(status, errors.INCOMPLETE)
        self.assertIn("record 3 missing", err)

    def test_nothing_in_it(self):
        status, _, err = common.tlblab("collect", "-", stdin=b"login: \r\n")
        self.assertEqual(status, errors.INCOMPLETE)
        self.assertIn("there are no records", err)


if __name__ == "__main__":
    unittest.main()
