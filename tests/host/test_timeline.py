# SPDX-License-Identifier: BSD-2-Clause
"""Timelines: what is drawn of a small log of events, as text and as SVG."""

import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

import common  # first: it makes tools/ importable
import errors
import timeline

LOG = """something that the simulator says
events of before under ipi, 2 CPUs
event 1 0 1000 2000 change
events of small under <ipi>, 2 CPUs
event 2 0 1000 2000 change
event 3 0 1000 4007 pte
event 4 1 1000 0 fill
event 4 0 77 0 load
event 5 0 1 3 ipi sent
event 6 1 1000 0 stale
event 7 1 3 0 ipi taken
event 8 1 1000 0 invlpg
event 8 1 1 0 drops
event 9 1 0 0 ack
event 10 0 4000 0 free
event 11 0 1000 2000 done
event 12 1 0 0 violation O-STALE
and more
"""

TEXT = """small under <ipi>
    step  CPU 0                                CPU 1
       2  change of 0x1000-0x2000 begins
       3  takes 0x1000 away, entry was 0x4007
       4                                       TLB has 0x1000
       5  interrupts CPU 1
       6                                       hit on a stale entry for 0x1000, legal still
       7                                       takes the interrupt
       8                                       INVLPG 0x1000
       8                                       TLB loses 1 translation
       9                                       acknowledges to CPU 0
      10  frees frame 0x4000
      11  flush of 0x1000-0x2000 done
      12                                       O-STALE
"""


class Drawn(unittest.TestCase):
    def test_text(self):
        """The last run only; primitives that are none of a shootdown's are left out."""
        self.assertEqual(timeline.Timeline(LOG).text(), TEXT)

    def test_svg(self):
        drawn = timeline.Timeline(LOG)
        root = xml.etree.ElementTree.fromstring(drawn.svg())
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        for event in drawn.events:
            self.assertIn(event.text, texts)
        self.assertEqual(texts[:3], ["small under <ipi>", "CPU 0", "CPU 1"])
        self.assertEqual(list(drawn.arrows()), [(3, 5)])
        self.assertEqual(list(drawn.changes()), [(0, 0, 10)])

    def test_a_change_that_does_not_end(self):
        drawn = timeline.Timeline(LOG.replace("event 11 0 1000 2000 done\n", ""))
        self.assertEqual(list(drawn.changes()), [(0, 0, 10)])

    def test_tlbi_by_name(self):
        drawn = timeline.Timeline("events of a under b, 1 CPUs\nevent 1 0 18 1234 tlbi\nevent 2 0 25 0 tlbi\nevent 3 0 1 0 dsb\n")
        self.assertEqual([e.text for e in drawn.events], ["TLBI RVAE1IS 0x1234", "TLBI VMALLE1OS", "DSB ISH"])

    def test_written_by_suffix(self):
        with tempfile.TemporaryDirectory() as directory:
            for name, begins in (("a.txt", "small under"), ("a.svg", "<svg ")):
                path = pathlib.Path(directory) / name
                timeline.write(path, LOG)
                self.assertTrue(path.read_text(encoding="utf-8").startswith(begins))

    def test_nothing_to_draw(self):
        with self.assertRaises(errors.Error):
            timeline.Timeline("no events here\n")


if __name__ == "__main__":
    unittest.main()
