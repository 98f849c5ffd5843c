# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's own tests, each result counted, each sabotage too."""

import build
import combinations
import qemu
import trial
from check import step


def guest_tests(report, cpus, *options):
    words = ["bench=none", *options] + ([] if any(o.startswith("tests=") for o in options) else ["tests=all"])
    machine = qemu.Machine(build.build(quiet=True), "direct", words, smp=cpus)
    trial.guest_tests(report, f"{cpus} CPUs", machine)


@step("quick")
def guest_2(report):
    """the kernel's tests on 2 CPUs"""
    guest_tests(report, 2)


@step("quick")
def guest_4(report):
    """the kernel's tests on 4 CPUs"""
    guest_tests(report, 4)


@step("quick")
def guest_broadcast(report):
    """the kernel's tests with INVLPGB emulated, 4 CPUs"""
    guest_tests(report, 4, "rounds=1", "invlpgb=emulate", "tlb=invlpgb,linux-6.18,linux-6.18+threshold=1")


@step("normal")
def guest_choices(report):
    """the kernel's tests under combinations of trackers, filters and policies, 4 CPUs"""
    guest_tests(report, 4, "rounds=1", "tlb=" + ",".join(combinations.CHOICES))


@step("normal")
def guest_tags(report):
    """the kernel's tests with slots and global ASIDs, by interrupts and by broadcast, with filters, 4 CPUs"""
    strategies = combinations.INTERRUPTS + combinations.BROADCASTS
    guest_tests(report, 4, "rounds=1", "invlpgb=emulate", "tlb=" + ",".join(strategies))


@step("normal")
def guest_rollover(report):
    """global ASIDs handed out again thousands of times: eight of them, 24 mms a round"""
    guest_tests(report, 4, "tests=asids_come_back", "rounds=300", "invlpgb=emulate", "tlb=invlpgb")


@step("normal")
def guest_generation(report):
    """the kernel's tests with few ASIDs that are the same on every CPU, 4 CPUs; tags are counted, not cached by"""
    guest_tests(report, 4, "rounds=1", "pcid=soft", "asid_bits=3",
                "tlb=ipi+generation,ipi+generation+overlap+early-ack,ipi+generation+active,ipi+generation+count")


@step("normal")
def guest_40(report):
    """the kernel's tests on 40 CPUs: masks of more than 32"""
    guest_tests(report, 40, "rounds=1")


def _commands(report, name, machine):
    """Shootdowns by interrupts: {CPUs: (interrupts taken, commands written) per operation}."""
    one = trial.trial(report, name, machine)
    cells = [r for r in one.log.of_type("result") if r.get("strategy") == "ipi"] if one else []
    return {r.get("cpus"): tuple(r.get(c)[0] / r.get("ops") for c in ("ipis_received", "ipi_commands")) for r in cells}


@step("normal")
def guest_commands(report):
    """interrupt commands: one per target, per cluster, or one for all others, on both ISAs; each target takes one interrupt"""
    few, gic2, gic3 = {"smp": 4}, {"smp": 4, "gic": 2}, {"smp": 18}  # of 18, 16 are one cluster
    for arch, how, mode, commands in (
            ("x86_64", few, "unicast", (2, 3)), ("x86_64", few, "allbutself", (2, 1)),
            ("arm64", gic2, "unicast", (2, 3)), ("arm64", gic2, "cluster", (1, 1)), ("arm64", gic2, "allbutself", (1, 1)),
            ("arm64", gic3, "unicast", (2, 17)), ("arm64", gic3, "cluster", (1, 2)), ("arm64", gic3, "allbutself", (1, 1))):
        cpus, name = how["smp"], " ".join([arch, *(f"{key}={value}" for key, value in how.items()), f"ipi={mode}"])
        words = ["tests=none", "bench=latency", "pages=1", "repeat=3", "tlb=ipi", f"cpus=3,{cpus}", f"ipi={mode}"]
        machine = (qemu.Arm64(build.build_arm64(quiet=True), words, **how) if arch == "arm64" else
                   qemu.Machine(build.build(quiet=True), "direct", words, **how))
        found, wanted = _commands(report, name, machine), {3: (2, commands[0]), cpus: (cpus - 1, commands[1])}
        report.expect(f"{name}: interrupts, commands", found == wanted, f"{found}, expected {wanted}")


@step("all")
def guest_long(report):
    """the kernel's tests on 3 CPUs, many rounds"""
    guest_tests(report, 3, "rounds=20")
