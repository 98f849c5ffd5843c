# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab sim --timeline FILE`: one run of the simulator, drawn: a column for each CPU, time goes down. What happened comes from
the simulator's lines "event STEP CPU A B NAME" (sim/events.c), of its last run; text or SVG by FILE's suffix.
"""

import pathlib
import re
import xml.sax.saxutils

import errors

SUFFIXES = (".txt", ".svg")
EVENT = re.compile(r"^event (\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) (.+)$")

TLBI = ("VAE1", "VALE1", "VAAE1", "VAALE1", "ASIDE1", "VMALLE1")
DOMAINS = {0: "NSH", 1: "ISH", 2: "OSH", 4: "NSHST", 5: "ISHST", 6: "OSHST"}


def _tlbi(op, operand):
    form = ("R" if op & 8 else "") + TLBI[op & 7] + ("", "IS", "OS", "OS")[op >> 4 & 3]
    return f"TLBI {form}" + ("" if op & 7 == 5 else f" 0x{operand:x}")


# What is drawn: name of the event: (how, its text of A and B). A primitive that is not here is none of a shootdown's.
KINDS = {
    "change": ("own", lambda a, b: f"change of 0x{a:x}-0x{b:x} begins"),
    "pte": ("own", lambda a, b: f"takes 0x{a:x} away, entry was 0x{b:x}"),
    "flush": ("own", lambda a, b: f"flush of 0x{a:x}-0x{b:x} begins"),
    "done": ("own", lambda a, b: f"flush of 0x{a:x}-0x{b:x} done"),
    "batched": ("own", lambda a, b: f"flush of 0x{a:x}-0x{b:x} left to a batch"),
    "batch done": ("own", lambda a, b: "flush of the batch done"),
    "free": ("own", lambda a, b: f"frees frame 0x{a:x}"),
    "ipi sent": ("answer", lambda a, b: f"interrupts CPU {a}"),
    "ipi taken": ("answer", lambda a, b: "takes the interrupt"),
    "ack": ("answer", lambda a, b: f"acknowledges to CPU {a}"),
    "invlpg": ("kills", lambda a, b: f"INVLPG 0x{a:x}"),
    "invpcid": ("kills", lambda a, b: f"INVPCID type {a}"),
    "mov cr3": ("kills", lambda a, b: f"CR3 = 0x{a:x}"),
    "mov cr4": ("kills", lambda a, b: f"CR4 = 0x{a:x}"),
    "msr ttbr0": ("kills", lambda a, b: f"TTBR0 = 0x{a:x}"),
    "invlpgb": ("kills", lambda a, b: f"INVLPGB rax 0x{a:x}"),
    "tlbsync": ("kills", lambda a, b: "TLBSYNC"),
    "tlbi": ("kills", _tlbi),
    "dsb": ("kills", lambda a, b: f"DSB {DOMAINS.get(a, a)}"),
    "drops": ("kills", lambda a, b: f"TLB loses {a} translation{'s' * (a != 1)}"),
    "fill": ("fills", lambda a, b: f"TLB has 0x{a:x}" + (", by itself" if b else "")),
    "va load": ("fills", lambda a, b: f"loads 0x{a:x}"),
    "va store": ("fills", lambda a, b: f"stores to 0x{a:x}"),
    "fault": ("fills", lambda a, b: f"faults at 0x{a:x}"),
    "stale": ("stale", lambda a, b: f"hit on a stale entry for 0x{a:x}, legal still"),
}
COLOURS = {"own": "#1f4e8c", "answer": "#7a3b8f", "kills": "#8c5a00", "fills": "#2f6f3a", "stale": "#c05000", "wrong": "#c00000"}


class Event:
    def __init__(self, step, cpu, a, b, name):
        self.step, self.cpu, self.a, self.b, self.name = step, cpu, a, b, name
        if name.startswith("violation "):
            self.how, self.text = "wrong", name.removeprefix("violation ")
        else:
            self.how, text = KINDS[name]
            self.text = text(a, b)


class Timeline:
    """The events of the last run in what the simulator printed."""

    def __init__(self, output):
        begin = output.rfind("events of ")
        if begin < 0:
            raise errors.Error("the simulator printed no events", details=output)
        lines = output[begin:].splitlines()
        head = re.match(r"events of (.+), (\d+) CPUs$", lines[0])
        self.title, self.cpus = head[1], int(head[2])
        self.events = []
        for line in lines[1:]:
            match = EVENT.match(line)
            if match and (match[5] in KINDS or match[5].startswith("violation ")):
                self.events.append(Event(int(match[1]), int(match[2]), int(match[3], 16), int(match[4], 16), match[5]))

    def arrows(self):
        """(index of an event, index of the one that answers it): an interrupt and its being taken."""
        waiting = {}
        for index, event in enumerate(self.events):
            if event.name == "ipi sent":
                waiting.setdefault((event.a, event.b), []).append(index)
            elif event.name == "ipi taken":
                for sent in waiting.pop((event.cpu, event.a), []):
                    yield sent, index

    def text(self):
        widths = [max([len(e.text) for e in self.events if e.cpu == cpu and e.how != "wrong"] + [8]) for cpu in range(self.cpus)]
        lefts = [sum(widths[:cpu]) + 2 * cpu for cpu in range(self.cpus)]
        lines = [self.title, "    step  " + "  ".join(f"CPU {cpu}".ljust(width) for cpu, width in enumerate(widths)).rstrip()]
        lines += [f"{e.step:8}  {' ' * lefts[e.cpu]}{e.text}" for e in self.events]
        return "\n".join(lines) + "\n"

    def svg(self):
        row, top, left, column = 18, 60, 70, 340
        width, height = left + column * self.cpus, top + row * (len(self.events) + 1)

        def x(cpu):
            return left + column * cpu + 10

        def y(index):
            return top + row * index + row // 2

        def escape(text):
            return xml.sax.saxutils.escape(text)

        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="monospace" font-size="11">',
               f"<title>{escape(self.title)}</title>",
               f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
               '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
               f'<path d="M0,0 L8,4 L0,8 z" fill="{COLOURS["answer"]}"/></marker></defs>',
               f'<text x="10" y="20" font-size="13">{escape(self.title)}</text>']
        for cpu in range(self.cpus):
            out.append(f'<text x="{x(cpu) - 4}" y="44" font-weight="bold">CPU {cpu}</text>')
            out.append(f'<line x1="{x(cpu)}" y1="50" x2="{x(cpu)}" y2="{height - 6}" stroke="#b0b0b0"/>')
        out += [f'<rect x="{x(cpu) - 3}" y="{y(begin)}" width="6" height="{max(y(end) - y(begin), 2)}" fill="{COLOURS["own"]}"/>'
                for cpu, begin, end in self.changes()]
        out += [f'<line x1="{x(self.events[a].cpu)}" y1="{y(a)}" x2="{x(self.events[b].cpu)}" y2="{y(b)}" '
                f'stroke="{COLOURS["answer"]}" stroke-dasharray="4 2" marker-end="url(#tip)"/>' for a, b in self.arrows()]
        for index, e in enumerate(self.events):
            out.append(f'<text x="10" y="{y(index) + 4}" fill="#808080">{e.step}</text>')
            out.append(f'<circle cx="{x(e.cpu)}" cy="{y(index)}" r="3" fill="{COLOURS[e.how]}"/>')
            out.append(f'<text x="{x(e.cpu) + 8}" y="{y(index) + 4}" fill="{COLOURS[e.how]}">{escape(e.text)}</text>')
        return "\n".join([*out, "</svg>"]) + "\n"

    def changes(self):
        """(CPU, index at which a change of its begins, index at which what it promises is done, or the run ends)."""
        open_at = {}
        for index, event in enumerate(self.events):
            if event.name == "change":
                open_at[event.cpu] = index
            elif event.name in ("done", "batched") and event.cpu in open_at:
                yield event.cpu, open_at.pop(event.cpu), index
        for cpu, index in open_at.items():
            yield cpu, index, len(self.events) - 1


def write(path, output):
    """Draws the last run in `output` into the file."""
    path, timeline = pathlib.Path(path), Timeline(output)
    path.write_text(timeline.svg() if path.suffix == ".svg" else timeline.text(), encoding="utf-8")
    return timeline
