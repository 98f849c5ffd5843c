# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's own tests, each result counted, each sabotage too."""

import build
import qemu
import trial
from check import step

COUNTED = {"ok": "ok", "caught": "ok", "not ok": "fail", "missed": "fail", "skip": "skip", "unproven": "skip"}


def _count(report, where, record):
    name = f"{record.get('test')} {record.get('strategy') or record.get('sabotage') or ''}".strip() + f", {where}"
    if record.type == "sabotage":
        name = f"{record.get('test')} sees {record.get('sabotage')}, {where}"
    kind = COUNTED.get(record.get("result"), "fail")
    if kind == "ok":
        report.ok(name)
    elif kind == "fail":
        report.fail(name, record.text)
    elif record.type == "sabotage":
        report.skip(name, "unproven here")
    else:
        report.skip(name, record.get("detail", ""))


def guest_tests(report, cpus, *options):
    machine = qemu.Machine(build.build(quiet=True), "direct", ["tests=all", "bench=none", *options], smp=cpus)
    where = f"{cpus} CPUs"
    one = trial.Trial(report, where, machine)
    found = one.log.of_type("test") + one.log.of_type("sabotage")
    for record in found:
        _count(report, where, record)
    report.expect(f"{where}: the run is whole", not one.wrong and one.log.of_type("test"), one.tail())
    report.expect(f"{where}: verdict", one.log.verdict == ("failed" if report.failed else "ok"), one.tail())


@step("quick")
def guest_2(report):
    """the kernel's tests on 2 CPUs"""
    guest_tests(report, 2)


@step("quick")
def guest_4(report):
    """the kernel's tests on 4 CPUs"""
    guest_tests(report, 4)


@step("normal")
def guest_40(report):
    """the kernel's tests on 40 CPUs: masks of more than 32"""
    guest_tests(report, 40, "rounds=1")


@step("all")
def guest_long(report):
    """the kernel's tests on 3 CPUs, many rounds"""
    guest_tests(report, 3, "rounds=20")
