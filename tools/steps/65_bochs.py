# SPDX-License-Identifier: BSD-2-Clause
"""Bochs: PCID, INVPCID and x2APIC really execute there, and fault where they should."""

import bochs
import build
import combinations
import trial
from check import step

CPUS = 4
LIMIT = 1800  # seconds for one boot; it is slow, and other steps run beside it

# Without PCID each switch drops what is cached.
EVERY = ("every switch drops the tag", lambda switches, flushes: flushes == switches > 0)
FEW = ("hardly a switch drops the tag", lambda switches, flushes: 0 < flushes * 10 < switches)

# CPU model and options; then: mode of the APIC, tags, does INVPCID execute, and what the counters of benchmark switch say.
MACHINES = {
    "haswell": (bochs.CPU, (), {"irq_controller": "x2apic", "tags": "pcid"}, True, FEW),
    "haswell, pcid=off": (bochs.CPU, ("pcid=off",), {"irq_controller": "x2apic", "tags": "none: pcid=off"}, True, EVERY),
    "penryn": ("core2_penryn_t9600", (), {"irq_controller": "xapic", "tags": "none: this CPU has none"}, False, EVERY),
}


def _iso(name, *options):
    return build.iso(options, build.BUILD / "check" / f"{name}.iso", quiet=True)


def _is_here(report, name):
    why = bochs.missing()
    if why:
        report.skip(name, why)
    return not why


def _guest_tests(report, *options):
    """The kernel's tests, with tags and x2APIC in use, or they would prove no more than in QEMU."""
    if not _is_here(report, "the kernel's tests"):
        return
    machine = bochs.Machine(_iso(report.name, "tests=all", *options), smp=CPUS)
    one = trial.guest_tests(report, f"{CPUS} CPUs", machine, LIMIT)
    cpu = one.log.first("cpu")
    fields = {name: cpu.get(name) if cpu else None for name in ("emulator", "tags", "irq_controller", "cpus")}
    wanted = {"emulator": "bochs", "tags": "pcid", "irq_controller": "x2apic", "cpus": CPUS}
    report.expect("PCID and x2APIC are in use", fields == wanted, f"{fields}, expected {wanted}")


@step("normal", one_cpu=True)
def bochs_tests(report):
    """the kernel's tests with PCID and x2APIC, 4 CPUs"""
    _guest_tests(report, "bench=none", "rounds=1", "invlpgb=emulate")


@step("normal", one_cpu=True)
def bochs_tags(report):
    """the kernel's tests with slots and global ASIDs under PCIDs, by interrupts and by broadcast, with filters, 4 CPUs"""
    strategies = combinations.INTERRUPTS + combinations.BROADCASTS
    _guest_tests(report, "bench=none", "rounds=1", "invlpgb=emulate", "tlb=" + ",".join(strategies))


@step("normal", one_cpu=True)
def bochs_generation(report):
    """the kernel's tests with few ASIDs, PCIDs, that are the same on every CPU, 4 CPUs"""
    strategies = "ipi+generation", "ipi+generation+overlap+early-ack"
    _guest_tests(report, "bench=none", "rounds=1", "asid_bits=3", "tlb=" + ",".join(strategies))


@step("normal", one_cpu=True)
def bochs_pcid(report):
    """PCID in use, switched off and absent: what executes, and how many switches drop a tag"""
    for name, (model, options, wanted, has_invpcid, (claim, holds)) in MACHINES.items():
        if not _is_here(report, name):
            continue
        image = _iso(report.name, "bench=insn,switch", "cpus=1", "tlb=lazy", "repeat=20", *options)
        one = trial.trial(report, name, bochs.Machine(image, model, CPUS))
        if not one:
            continue
        cpu = one.log.first("cpu")
        found = {field: cpu.get(field) for field in wanted}
        report.expect(f"{name}: {', '.join(wanted.values())}", found == wanted, f"{found}, expected {wanted}")
        measured = any(r.get("params") == "op=invpcid-2" for r in one.log.of_type("result"))
        report.expect(f"{name}: INVPCID {'executes' if has_invpcid else 'is left alone'}", measured == has_invpcid, one.tail())
        counts = [(r["switches"][0], r["switch_flushes"][0]) for r in one.log.of_type("result") if r["bench"] == "switch"]
        report.expect(f"{name}: {claim}", counts and all(holds(*c) for c in counts), f"(switches, dropped): {counts}")


@step("all", one_cpu=True)
def bochs_long(report):
    """the kernel's tests, many rounds, and all benchmarks"""
    _guest_tests(report, "rounds=10", "bench=all", "invlpgb=emulate")


@step("all", one_cpu=True)
def bochs_same_bytes(report):
    """its clock counts instructions: two runs give the same bytes"""
    if not _is_here(report, "the same bytes"):
        return
    machine = bochs.Machine(_iso(report.name, "tests=all", "rounds=1", "bench=all", "repeat=3", "invlpgb=emulate"), smp=CPUS)
    runs = [trial.trial(report, f"run {n}", machine) for n in (1, 2)]
    if all(runs):
        first, second = (one.path.read_bytes() for one in runs)
        report.expect("the same bytes", first == second, trial.difference(first, second))
