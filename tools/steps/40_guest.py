# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's own tests, each result counted, each sabotage too."""

import build
import qemu
import trial
from check import step

COUNTED = {"ok": "ok", "caught": "ok", "not ok": "fail", "missed": "fail", "skip": "skip", "unproven": "skip"}


def _count(report, record):
    sabotage = record.type == "sabotage"
    name = f"{record.get('test')} sees {record.get('sabotage')}" if sabotage else f"{record.get('test')} {record.get('strategy')}"
    kind = COUNTED.get(record.get("result"), "fail")
    if kind == "ok":
        report.ok(name)
    elif kind == "fail":
        report.fail(name, record.text)
    else:
        report.skip(name, "unproven here" if sabotage else record.get("detail", ""))


def guest_tests(report, cpus, *options):
    machine = qemu.Machine(build.build(quiet=True), "direct", ["tests=all", "bench=none", *options], smp=cpus)
    one = trial.Trial(report, f"{cpus} CPUs", machine)
    found = one.log.of_type("test") + one.log.of_type("sabotage")
    for record in found:
        _count(report, record)
    report.expect("the run is whole", not one.wrong and one.log.of_type("test"), one.tail())
    report.expect("verdict", one.log.verdict == ("failed" if report.failed else "ok"), one.tail())


@step("quick")
def guest_2(report):
    """the kernel's tests on 2 CPUs"""
    guest_tests(report, 2)


@step("quick")
def guest_4(report):
    """the kernel's tests on 4 CPUs"""
    guest_tests(report, 4)


# Trackers, filters (trim needs loaded, and bits that stay), policies: 16, as many as one run takes.
CHOICES = [
    "+".join(["ipi", tracker, *others])
    for tracker in ("mask", "exact", "scan")
    for others in ([], ["early-ack"], ["lazy", "overlap"], ["loaded", "overlap"], ["lazy", "loaded", "overlap", "early-ack"],
                   ["lazy", "loaded", "trim", "overlap", "early-ack"])
    if "trim" not in others or tracker == "mask"
]


@step("normal")
def guest_choices(report):
    """the kernel's tests under combinations of trackers, filters and policies, 4 CPUs"""
    guest_tests(report, 4, "rounds=1", "tlb=" + ",".join(CHOICES))


@step("normal")
def guest_40(report):
    """the kernel's tests on 40 CPUs: masks of more than 32"""
    guest_tests(report, 40, "rounds=1")


@step("all")
def guest_long(report):
    """the kernel's tests on 3 CPUs, many rounds"""
    guest_tests(report, 3, "rounds=20")
