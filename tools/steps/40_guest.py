# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's own tests, each result counted, each sabotage too."""

import build
import qemu
import trial
from check import step


def guest_tests(report, cpus, *options):
    machine = qemu.Machine(build.build(quiet=True), "direct", ["tests=all", "bench=none", *options], smp=cpus)
    trial.guest_tests(report, f"{cpus} CPUs", machine)


@step("quick")
def guest_2(report):
    """the kernel's tests on 2 CPUs"""
    guest_tests(report, 2)


@step("quick")
def guest_4(report):
    """the kernel's tests on 4 CPUs"""
    guest_tests(report, 4)


# Trackers, filters (trim needs loaded, and bits that stay), with and without overlap.
CHOICES = [
    "+".join(["ipi", tracker, *filters, *(["overlap"] if filters else [])])
    for tracker in ("mask", "exact", "scan")
    for filters in ([], ["lazy"], ["loaded"], ["lazy", "loaded"], ["lazy", "loaded", "trim"])
    if "trim" not in filters or tracker == "mask"
]


@step("normal")
def guest_choices(report):
    """the kernel's tests under every combination of trackers and filters, 4 CPUs"""
    guest_tests(report, 4, "rounds=1", "tlb=" + ",".join(CHOICES))


@step("normal")
def guest_40(report):
    """the kernel's tests on 40 CPUs: masks of more than 32"""
    guest_tests(report, 40, "rounds=1")


@step("all")
def guest_long(report):
    """the kernel's tests on 3 CPUs, many rounds"""
    guest_tests(report, 3, "rounds=20")
