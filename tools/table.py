# SPDX-License-Identifier: BSD-2-Clause
"""
The comparison: result records as one table for people (a row per benchmark, parameters, CPUs and pages; a column per strategy) and
as CSV with every field. Ratios are to strategy `ipi` of the same row, that is of the same run. An absent counter counts nothing,
so it is 0; an absent cell is "-".
"""

import csv

WIDTH = 120  # columns of a terminal that the table has to fit
BASE = "ipi"
KEY = ("bench", "params", "cpus", "pages")
HEAD = ("benchmark", "variant", "CPUs", "pages")
NONE = "-"

# Units of the fields of a result, for the CSV's header; counters follow behind these.
FIELDS = {
    "bench": "", "params": "", "strategy": "", "cpus": "CPUs", "targets": "CPUs", "pages": "pages",
    "samples": "samples", "ops": "operations", "held": "TLB entries", "holders": "TLB entries",
    "min": "ticks", "p50": "ticks", "p90": "ticks", "p99": "ticks", "max": "ticks",
    "min_ns": "ns", "p50_ns": "ns", "p90_ns": "ns", "p99_ns": "ns", "max_ns": "ns",
    "batch": "ops/sample", "sample_p50": "ticks",
    "ipi_p50": "ticks", "clock": "", "resolution": "ticks", "ticks_per_us": "ticks/us", "emulated": "", "emulator": "", "idle": "",
    "others": "", "others_cpus": "CPUs", "others_done": "",
}


def strategy_of(result):
    """The strategy's name; "" for what has none, such as the raw IPI."""
    name = result.get("strategy", "")
    return "" if name == NONE else name


def counters_of(result):
    """{name: [sum, min, max]} over CPUs."""
    return {k: v for k, v in result.fields.items() if isinstance(v, list) and len(v) == 3}


def per_op(result, prefix):
    """Sum of the counters of things done whose names begin so, per operation; None if the operations weren't counted."""
    ops = result.get("ops", 0)
    if not ops:
        return None
    return sum(v[0] for k, v in counters_of(result).items() if k.startswith(prefix)) / ops


def short(value):
    """At most five characters where it can be: 0, 0.25, 12.5, 1234."""
    if value is None:
        return NONE
    if value == int(value) or value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


class Table:
    """Cells by row and strategy, in the order in which they came, but BASE first."""

    def __init__(self, results, ticks=False):
        self.field = "p50" if ticks else "p50_ns"
        self.unit = "ticks" if ticks else "ns"
        self.rows, self.strategies = {}, []
        for result in results:
            row = self.rows.setdefault(tuple(result.get(k, "") for k in KEY), {})
            name = strategy_of(result)
            row[name] = result
            if name and name not in self.strategies:
                self.strategies.insert(0 if name == BASE else len(self.strategies), name)

    def time(self, row, strategy):
        """None also where instructions of the strategy were emulated: how long that takes says nothing."""
        result = row.get(strategy)
        return result.get(self.field) if result and not result.get("emulated") else None

    def ratio(self, row, strategy):
        """p50 of the strategy by p50 of ipi in the same row."""
        time, base = self.time(row, strategy), self.time(row, BASE)
        return time / base if time is not None and base else None

    def cell(self, row, strategy):
        """(first line, second line): p50 and ratio; IPIs and flushes per operation."""
        if strategy not in row:
            return NONE, NONE
        ratio = self.ratio(row, strategy)
        ipis, flushes = per_op(row[strategy], "ipis_sent"), per_op(row[strategy], "flush_")
        ratio = "" if ratio is None else f"x{ratio:.2f}"
        time = "emulated" if row[strategy].get("emulated") else short(self.time(row, strategy))
        return f"{time} {ratio:>6}", f"{short(ipis)} {short(flushes):>6}"

    def compared(self):
        """Rows that have a strategy, and are a comparison."""
        return {k: r for k, r in self.rows.items() if any(r)}

    def lines(self):
        """The comparison, in blocks that fit WIDTH; then what has no strategy."""
        rows = self.compared()
        cells = {(k, s): self.cell(r, s) for k, r in rows.items() for s in self.strategies}
        labels = {k: _label(k) for k in rows}
        left = _columns([HEAD] + list(labels.values()))
        widths = {s: max([len(s)] + [len(line) for k in rows for line in cells[k, s]]) for s in self.strategies}
        units = [self.unit, "per op"]
        edge = sum(left) + 2 * len(left) + max(map(len, units))
        out = []
        for block in _blocks(self.strategies, widths, WIDTH - edge):
            out += [""] if out else []
            head = _join(HEAD, left) + " " * (max(map(len, units)) + 2)
            out.append(head + "".join("  " + s.rjust(widths[s]) for s in block))
            bench = None
            for key in rows:
                out += ["-" * len(out[0])] if bench != key[0] else []
                bench = key[0]
                for n, unit in enumerate(units):
                    first = _join(labels[key] if n == 0 else ("",) * 4, left)
                    values = "".join("  " + cells[key, s][n].rjust(widths[s]) for s in block)
                    out.append(f"{first}  {unit:{max(map(len, units))}}{values}".rstrip())
        plain = self._plain()
        return out + ([""] if out and plain else []) + plain

    def _plain(self):
        """Results without a strategy: raw IPIs, single instructions."""
        rows = [(k, r[""]) for k, r in self.rows.items() if "" in r]
        if not rows:
            return []
        labels = [_label(k) for k, _ in rows]
        left = _columns([HEAD] + labels)
        out = [_join(HEAD, left) + f"  {'p50 ' + self.unit:>10}  {'p99 ' + self.unit:>10}"]
        p99 = "p99" + self.field[3:]
        for label, (_, result) in zip(labels, rows):
            out.append(_join(label, left) + f"  {short(result.get(self.field)):>10}  {short(result.get(p99)):>10}")
        return out


def _label(key):
    bench, params, cpus, pages = key
    return bench, params, str(cpus), str(pages) if pages else NONE


def _columns(rows):
    return [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]


def _join(label, widths):
    """Names to the left, numbers to the right."""
    return "  ".join(t.ljust(w) if i < 2 else t.rjust(w) for i, (t, w) in enumerate(zip(label, widths)))


def _blocks(strategies, widths, room):
    """The strategies cut into lists that fit `room` columns; BASE leads each, so that a block can be read alone."""
    out, used = [], room + 1
    for name in strategies:
        if used + 2 + widths[name] > room:
            repeat = [BASE] if out and BASE in strategies else []
            out.append(list(repeat))
            used = sum(2 + widths[s] for s in repeat)
        if name not in out[-1]:
            out[-1].append(name)
            used += 2 + widths[name]
    return out


def title(log):
    """What ran where, and what the figures are worth."""
    start, cpu, clock = (log.first(kind) for kind in ("start", "cpu", "clock"))
    out = []
    if start:
        out.append(f"tlblab {start.get('version')} ({start.get('build')}), {start.get('arch')}")
    if cpu:
        line = f"{cpu.get('cpu')} ({cpu.get('id')}), {cpu.get('cpus')} CPUs, {cpu.get('irq_controller')}"
        out.append(line + (f", hypervisor {cpu.get('hypervisor')}" if cpu.get("hypervisor") != "none" else ""))
    if clock:
        out.append(f"clock {clock.get('source')}, {clock.get('ticks_per_us')} ticks/us by {clock.get('calibration')}")
    if cpu and cpu.get("emulator") != "none":
        out.append(f"Emulated by {cpu.get('emulator')}: times are no hardware costs, the counts per operation are the figures.")
    out += [f"Without {left.get('tlb')}: {left.get('why')}." for left in log.of_type("left-out")]
    return out


def text(log, ticks=False):
    """The whole output for people. `ticks`: times in clock ticks (under icount a tick is an instruction)."""
    results = log.of_type("result")
    out = title(log)
    if not results:
        return "\n".join(out)
    unit = "ticks (instructions)" if ticks else "ns"
    out.append(f"First line of a cell: p50 in {unit}, and x its ratio to {BASE} in this run.")
    if any(r.get("emulated") for r in results):
        out.append("emulated: instructions of the strategy are done by the handler of an exception, so it has no time.")
    out.append("Second line: IPIs sent, and TLB flushes done or broadcast, per operation, summed over all CPUs.")
    return "\n".join(out + [""] + Table(results, ticks).lines())


def write_csv(log, path):
    """All fields of all results; units in the header."""
    results = log.of_type("result")
    counters = sorted({name for result in results for name in counters_of(result)})
    names = [n for n in FIELDS] + sorted({n for r in results for n in r.fields} - set(FIELDS) - set(counters) - {"type"})
    head = [f"{n} [{FIELDS[n]}]" if FIELDS.get(n) else n for n in names]
    head += [f"{c}_{part} [count]" for c in counters for part in ("sum", "min", "max")]
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(head)
        for r in results:
            row = [str(r.get(n, "")).lower() if isinstance(r.get(n), bool) else r.get(n, "") for n in names]
            out.writerow(row + [v for c in counters for v in counters_of(r).get(c, (0, 0, 0))])
