# SPDX-License-Identifier: BSD-2-Clause
"""Who is near whom: what the records say of it, the order of CPUs by placement=, the node of frames_node=. Both ISAs."""

import build
import qemu
import trial
from check import step

SMP = "8,sockets=2,cores=2,threads=2"
MIB = 256  # of each of two nodes, which have a package each
NODES = [word for node, cpus in ((0, "0-3"), (1, "4-7")) for word in (
    "-object", f"memory-backend-ram,id=m{node},size={MIB}M", "-numa", f"node,nodeid={node},cpus={cpus},memdev=m{node}")]
NODES += ["-numa", "dist,src=0,dst=1,val=23"]

LEVELS = ("node", "package", "complex", "core", "thread")
# By position in firmware's list: its node, package, complex, core, thread.
SHAPE = [(cpu // 4, cpu // 4, cpu // 4, cpu // 2, cpu % 2) for cpu in range(8)]

# Positions in the list, in the order of logical numbers. The others and other shapes are unit tested.
ORDERS = {
    "listed": [0, 1, 2, 3, 4, 5, 6, 7],
    "complex": [0, 2, 1, 3, 4, 6, 5, 7],
    "spread": [0, 4, 2, 6, 1, 5, 3, 7],
}


def _machine(arch, options, smp=SMP, extra=NODES):
    options = ["tests=none", "bench=none", *options]
    if arch == "arm64":
        return qemu.Arm64(build.build_arm64(quiet=True), options, smp=smp, extra=extra, memory=2 * MIB)
    return qemu.Machine(build.build(quiet=True), "direct", options, smp=smp, extra=extra, memory=2 * MIB)


def _expect_order(report, name, log, placement):
    cpus = log.first("cpus")
    got = list(zip(*(cpus.get(level) for level in LEVELS))) if cpus else []
    wanted = [SHAPE[position] for position in ORDERS[placement]]
    report.expect(name, got == wanted, f"{got}, expected {wanted}")


def _topology(report, arch, by, nodes_by):
    for placement in ORDERS:
        name = f"{arch} placement={placement}"
        one = trial.trial(report, name, _machine(arch, [f"placement={placement}"]))
        if not one:
            continue
        _expect_order(report, name, one.log, placement)
        found = [one.log.first("topology").get(field) for field in ("places_by", "nodes_by", "nodes", "packages", "cores")]
        report.expect(f"{name}, by whom", found == [by, nodes_by, 2, 2, 4], found)
        distances = [record.get("distances") for record in one.log.of_type("node")]
        report.expect(f"{name}, distances", distances == [[10, 23], [23, 10]], distances)


def _frames(report, arch, base):
    for node in (0, 1):
        name, start = f"{arch} frames_node={node}", base + (node * MIB << 20)
        one = trial.trial(report, name, _machine(arch, [f"frames_node={node}"]))
        if one:
            frames = one.log.first("frames")
            inside = start <= frames.get("start") and frames.get("mib") > MIB // 2 and frames.get("start") < start + (MIB << 20)
            report.expect(name, inside, frames.text)


@step("normal", one_cpu=True)
def topology(report):
    """packages, cores, threads, nodes and their distances in the records; which CPUs and which memory are asked for"""
    _topology(report, "x86-64", "cpuid 0xb", "srat")
    _topology(report, "arm64", "cpu-map", "numa-node-id")
    _frames(report, "x86-64", 0)
    _frames(report, "arm64", 1 << 30)


@step("normal", one_cpu=True)
def topology_errors(report):
    """nodes that are not there are refused"""
    for words, extra, wanted in (("placement=node", (), "no NUMA nodes"), ("frames_node=2", NODES, "frames_node=2"),
                                 ("frames_node=0", (), "frames_node=0"), ("frames_node=x", (), "frames_node")):
        one = trial.trial(report, words, _machine("x86-64", [words], extra=extra), "error")
        if one:
            messages = [record.get("message", "") for record in one.log.of_type("error")]
            report.expect(words, len(messages) == 1 and wanted in messages[0], messages)
