# SPDX-License-Identifier: BSD-2-Clause
"""The arm64 kernel in QEMU's machine `virt`: it boots everywhere, and passes its own tests."""

import re

import build
import combinations
import qemu
import trial
from check import step

NOTHING = ["tests=none", "bench=none"]
CPUS = ("max,pauth-impdef=on", "cortex-a72", "neoverse-n1")  # 16-bit ASIDs and access flag by hardware; neither; the first
MACHINES = [(gic, el2) for gic in (2, 3) for el2 in (False, True)]


def _machine(options, **how):
    return qemu.Arm64(build.build_arm64(quiet=True), options, **how)


def _name(cpu, cpus, gic, el2):
    return f"{cpu.split(',')[0]} with {cpus} CPUs, GICv{gic}, from EL{2 if el2 else 1}"


def _boots(report, cpu, cpus, gic, el2):
    name = _name(cpu, cpus, gic, el2)
    one = trial.trial(report, name, _machine(NOTHING, cpu=cpu, smp=cpus, gic=gic, el2=el2))
    if one:
        record = one.log.first("cpu")
        found = [record.get(field) for field in ("cpus", "irq_controller", "emulator")] + [record.get("features", "")[-14:]]
        wanted = [cpus, f"gicv{gic}", "qemu-tcg", f"entered-at-el{2 if el2 else 1}"]
        report.expect(name, found == wanted, f"{found}, expected {wanted}")


def _guest_tests(report, cpu, cpus, gic, el2, *options):
    machine = _machine(["tests=all", "bench=none", *options], cpu=cpu, smp=cpus, gic=gic, el2=el2)
    trial.guest_tests(report, _name(cpu, cpus, gic, el2), machine)


@step("normal", one_cpu=True)
def arm64_boot(report):
    """1, 2, 4 CPUs; CPU models; GIC version 2 and 3; EL1 and EL2"""
    _boots(report, "a64fx", 4, 3, False)
    for cpu in CPUS:
        for cpus in (1, 2, 4):
            for gic, el2 in MACHINES:
                _boots(report, cpu, cpus, gic, el2)


def _boots_by_uefi(report, name, image, gic, el2, medium, acpi, words=NOTHING):
    """The options arrive, however they were given, and what hardware there is is firmware's to say."""
    if not qemu.AAVMF_CODE.exists():
        report.skip(name, "qemu-efi-aarch64 is not installed")
        return
    machine = qemu.Arm64(image, NOTHING, smp=2, gic=gic, el2=el2, firmware="uefi", medium=medium, acpi=acpi)
    one = trial.trial(report, name, machine)
    if one:
        start, cpu = one.log.first("start"), one.log.first("cpu")
        found = [start.get(field) for field in ("protocol", "loader", "hardware_by", "secure_boot")]
        found += [start.get("cmdline"), cpu.get("cpus"), cpu.get("irq_controller"), cpu.get("features", "")[-14:]]
        wanted = ["efi", "EDK II", "acpi" if acpi else "device tree", "off", " ".join(words)]
        wanted += [2, f"gicv{gic}", f"entered-at-el{2 if el2 else 1}"]
        report.expect(name, found == wanted, f"{found}, expected {wanted}")


@step("normal", one_cpu=True)
def arm64_esp(report):
    """AAVMF: ESP, options in tlblab.cfg; -kernel, options in the load options; GIC version 2 and 3, EL1 and EL2, ACPI and not"""
    words = ["tests=none", "bench=none", "seed=7"]
    image = build.esp(words, build.BUILD / "check" / "arm64.esp", quiet=True)
    _boots_by_uefi(report, "ESP, GICv3, EL1", image, 3, False, "esp", True, words)
    _boots_by_uefi(report, "ESP, GICv2, EL2", image, 2, True, "esp", False, words)
    _boots_by_uefi(report, "-kernel, GICv3, EL2", build.build_arm64(quiet=True), 3, True, "kernel", True)


@step("normal", one_cpu=True)
def arm64_iso(report):
    """AAVMF, GRUB's `linux`, ISO: GIC version 2 and 3, EL1 and EL2; ACPI, to which GRUB adds an empty device tree, and not"""
    image = build.iso(NOTHING, build.BUILD / "check" / "arm64.iso", quiet=True, arch="arm64")
    _boots_by_uefi(report, "ISO, GICv2, EL1", image, 2, False, "iso", False)
    _boots_by_uefi(report, "ISO, GICv3, EL2", image, 3, True, "iso", True)


def _boots_by_acpi(report, cpus, gic, el2):
    """All that ACPI has to say: CPUs, interrupt controller, timer, PSCI, console (or nothing would be seen), who is near whom."""
    name = f"ACPI, {_name(CPUS[0], cpus, gic, el2)}"
    smp = f"{cpus},sockets=2,cores=1,threads=2" if cpus == 4 else cpus
    one = trial.trial(report, name, _machine(NOTHING, smp=smp, gic=gic, el2=el2, firmware="uefi"))
    if one:
        start, cpu, topology, places = (one.log.first(kind) for kind in ("start", "cpu", "topology", "cpus"))
        found = [start.get("hardware_by"), cpu.get("cpus"), cpu.get("expected"), cpu.get("irq_controller"), cpu.get("emulator")]
        found += [topology.get("places_by"), places.get("core"), places.get("thread")]
        wanted = ["acpi", cpus, cpus, f"gicv{gic}", "qemu-tcg", "pptt", [0, 0, 1, 1][:cpus], [0, 1, 0, 1][:cpus]]
        report.expect(name, found == wanted, f"{found}, expected {wanted}")


@step("normal", one_cpu=True)
def arm64_acpi(report):
    """AAVMF, hardware by ACPI: 1 and 4 CPUs, GIC version 2 and 3, EL1 and EL2; acpi=off leaves nothing, and says so"""
    if not qemu.AAVMF_CODE.exists():
        report.skip("ACPI", "qemu-efi-aarch64 is not installed")
        return
    for cpus, gic, el2 in ((1, 2, False), (4, 2, True), (1, 3, True), (4, 3, False)):
        _boots_by_acpi(report, cpus, gic, el2)
    one = trial.trial(report, "acpi=off", _machine([*NOTHING, "acpi=off"], smp=2, firmware="uefi"), "error")
    if one:
        messages = [record.get("message", "") for record in one.log.of_type("error")]
        report.expect("acpi=off", len(messages) == 1 and "acpi=off" in messages[0], messages)


@step("normal", one_cpu=True)
def arm64_guest_uefi(report):
    """the kernel's tests after AAVMF, on its memory, 2 CPUs"""
    words = ["tests=all", "bench=none", "rounds=1", "tlb=ipi,lazy"]
    image = build.esp(words, build.BUILD / "check" / "arm64-guest.esp", quiet=True)
    trial.guest_tests(report, "ESP, 2 CPUs", qemu.Arm64(image, smp=2, firmware="uefi", medium="esp"))


@step("normal")
def arm64_many(report):
    """as many CPUs as GIC version 2 can name; several clusters, and more redistributors than one region has"""
    _boots(report, CPUS[0], 8, 2, False)
    for cpus in (33, 130):
        _boots(report, CPUS[0], cpus, 3, True)


@step("quick")
def arm64_guest_2(report):
    """the kernel's tests on 2 CPUs, under two strategies, one round"""
    _guest_tests(report, CPUS[0], 2, 3, False, "rounds=1", "tlb=ipi,lazy")


@step("normal")
def arm64_guest(report):
    """the kernel's tests under every preset, 4 CPUs of each model"""
    for cpu, (gic, el2) in zip(CPUS, MACHINES[1:]):
        _guest_tests(report, cpu, 4, gic, el2, "rounds=1")


@step("normal")
def arm64_choices(report):
    """the kernel's tests under combinations of trackers, filters, policies and slots, 4 CPUs"""
    for strategies in (combinations.CHOICES, combinations.INTERRUPTS + combinations.ALONE):
        _guest_tests(report, CPUS[0], 4, 3, False, "rounds=1", "tlb=" + ",".join(strategies))


@step("normal")
def arm64_guest_40(report):
    """the kernel's tests on 40 CPUs: masks of more than 32"""
    _guest_tests(report, CPUS[2], 40, 3, False, "rounds=1")


@step("normal", one_cpu=True)
def arm64_instructions(report):
    """benchmark insn: each instruction that is declared is measured on each number of CPUs, or named with the feature it needs"""
    source = (build.TOP / "arch" / "arm64" / "insn_ops.c").read_text(encoding="utf-8")
    names = re.findall(r'\.name = "(tlbi-.*?)"', source)
    ranges = {name: "FEAT_TLBIRANGE" for name in names if name.startswith("tlbi-r")}
    outer = {name: "FEAT_TLBIOS" for name in names if re.search("os(-|$)", name) and name not in ranges}
    for cpu, wanted in ((CPUS[0], {}), (CPUS[1], ranges | outer)):
        machine = _machine(["tests=none", "bench=insn", "repeat=3"], cpu=cpu, smp=4)
        absent = trial.instructions(report, cpu, machine, "arm64")
        report.expect(f"absent from {cpu}", absent == wanted, f"{absent}, expected {wanted}")


def _broadcasts(report, cpu, *options, strategy="tlbi-is", bench=("bench=path",)):
    """A few shootdowns of one size. (what the records say of broadcasts, of errata, TLBIs, DSBs per operation), or None."""
    name = " ".join([cpu, strategy, *options])
    words = ["tests=none", *bench, "repeat=5", "cpus=2", f"tlb={strategy}", *options]
    one = trial.trial(report, name, _machine(words, cpu=cpu, smp=2))
    if not one:
        return None
    said, cell = one.log.first("cpu"), one.log.first("result")
    counted = [cell.get(counter)[0] / cell.get("ops") for counter in ("tlbis_broadcast", "tlbi_syncs")]
    return said.get("broadcast"), said.get("errata"), *counted


@step("normal", one_cpu=True)
def arm64_repeated_tlbi(report):
    """CPUs with an erratum are known; TLBI and DSB are repeated as often as they need, or as the option says"""
    n1 = "Neoverse N1 4193800, CVE-2025-10263"
    for cpu, options, wanted in (
            (CPUS[1], [], ("tlbi is", "none", 1, 1)),
            (CPUS[1], ["repeat_tlbi=2"], ("tlbi is, repeated 2", "none", 3, 3)),
            (CPUS[2], [], ("tlbi is, repeated 1", n1, 2, 2)),
            (CPUS[2], ["repeat_tlbi=0"], ("tlbi is", n1, 1, 1))):
        found = _broadcasts(report, cpu, *options)
        report.expect(" ".join([cpu, *options, "repeats"]), found == wanted, f"{found}, expected {wanted}")


def _clock(report, name, wanted, options, **how):
    """Boots; the clock record and each result say `wanted`. The results."""
    one = trial.trial(report, name, _machine(["tests=none", "bench=latency", "pages=1", "tlb=ipi", *options], smp=2, **how))
    if not one:
        return []
    record, results = one.log.first("clock"), one.log.of_type("result")
    said = {(record.get("source"), record.get("resolution"))} | {(r.get("clock"), r.get("resolution")) for r in results}
    report.expect(name, len(said) == 1 and results and record.get("source") == wanted, f"{said}, expected {wanted}\n" + one.tail())
    return results


@step("normal", one_cpu=True)
def arm64_clock(report):
    """samples by the cycle counter, or by the virtual one with so many operations in each that it lasts 100 ticks"""
    _clock(report, "cycles", "pmccntr", ["repeat=20"])
    _clock(report, "no PMU", "cntvct", ["repeat=20"], cpu=CPUS[0] + ",pmu=off")
    # A tick is 100 instructions.
    coarse = {"cpu": CPUS[0] + ",cntfrq=10000000", "icount": True}
    for r in _clock(report, "asked for", "cntvct", ["repeat=3", "clock=cntvct"], **coarse):
        batch, lasts = r.get("batch"), r.get("sample_p50")
        good = lasts >= 100 and batch > 1 and not batch & (batch - 1)
        report.expect(f"batch with {r.get('cpus')} CPUs", good, f"{batch} operations in {lasts} ticks")
    machine = _machine(["tests=none", "bench=none", "clock=pmccntr"], cpu=CPUS[0] + ",pmu=off", smp=2)
    one = trial.trial(report, "clock=pmccntr without a PMU", machine, "error")
    if one:
        text = "\n".join(r.text for r in one.log.of_type("error"))
        report.expect("clock=pmccntr without a PMU", "PMCCNTR_EL0 does not count on CPU 0" in text and "cntvct" in text, text)


@step("normal")
def arm64_forms(report):
    """ranges or page by page, a DSB after each TLBI: what is counted; and the kernel's tests with level hints"""
    for choices, wanted in (("", (1, 1)), ("+no-range", (8, 1)), ("+dsb-each", (1, 2)), ("+no-range+dsb-each+ttl", (8, 9))):
        found = _broadcasts(report, CPUS[0], strategy=f"tlbi-is{choices}", bench=("bench=latency", "pages=8"))
        report.expect(f"tlbi-is{choices} counts", found and found[2:] == wanted, f"{found}, expected {wanted}")
    _guest_tests(report, CPUS[0], 4, 3, False, "rounds=1", "tlb=tlbi-is+ttl,tlbi-local+ttl,linux-arm64+no-range+dsb-each")


@step("normal", one_cpu=True)
def arm64_errors(report):
    """what is refused, what hangs, and that the status says so"""
    for words, wanted in {"frobnicate=1": "frobnicate", "console=ttyS0": "console",
                          "tlb=ipi+generation asid_bits=2": "too few ASIDs",
                          "tlb=ipi+dsb-each": "dsb-each needs",
                          "tlb=tlbi-local+slots": "broadcast needs a tagging in which an mm has one tag on all CPUs",
                          "tlb=broadcast+count+loaded": "loaded needs a tagging that catches up with missed flushes",
                          "fault=hang watchdog=500": "CPU 3: does not answer", "fault=check": "CHECK"}.items():
        machine = _machine(["tests=none", "bench=none", *words.split()], smp=4)
        one = trial.trial(report, words, machine, "error")
        if one:
            text = "\n".join(one.lines + [r.text for r in one.log.of_type("error")])
            report.expect(words, wanted in text, one.tail())
