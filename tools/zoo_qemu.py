# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab zoo --qemu`: bugs of the zoo that QEMU can show. Under TCG each CPU has a real TLB, if without tags, walk caches and an
order of its own: who is not flushed, or not of all, uses what is stale. The entry's table [qemu] names the guest test that has to
fail with the bug, and to succeed without:

    [qemu]
    test = "kernel_unmap"   one of tests/guest/
    tlb, arch               where not the entry's
    cpus                    where not 4
    options                 more of the kernel's, such as "rounds=100" for what only some rounds show

The kernel with the bug is a copy as the simulator's is, build/zoo/ID-in-qemu/, with the logs of both boots.
"""

import os

import build
import emulator
import errors
import qemu
import records
import zoo

CPUS = 4
SILENCE, LIMIT = 60, 120  # seconds: a test says nothing until it has ended
KERNELS = {"x86_64": build.ELF, "arm64": build.IMAGE_ARM64}


def entries():
    return [entry for entry in zoo.entries() if entry.qemu and entry.name == entry.id]


def arch(entry):
    return entry.qemu.get("arch", entry.arch)


def cpus(entry):
    return entry.qemu.get("cpus", CPUS)


def words(entry):
    """The kernel's command line."""
    return [f"tests={entry.qemu['test']}", "bench=none", f"tlb={entry.qemu.get('tlb', entry.tlb)}", *entry.qemu.get("options", [])]


def row(entry):
    """Of docs/zoo.md."""
    _, _, *rest = words(entry)
    isa = "arm64, " if arch(entry) == "arm64" else ""
    return f"| {entry.id} | `{entry.qemu['test']}` | {isa}{cpus(entry)} CPUs, `{' '.join(rest)}` |\n"


def build_copy(entry, copy):
    """The kernel with the bug; returns its path."""
    zoo.copy_tree(copy, "third_party", f"build/{arch(entry)}")
    zoo.mutate(entry, copy)
    zoo.make_copy(copy, f"zoo: {entry.id} in QEMU", f"-j{os.cpu_count()}", f"ARCH={arch(entry)}")
    return copy / KERNELS[arch(entry)].relative_to(build.TOP)


def boot(entry, kernel, log):
    """(what the record of the guest test says, why), (None, ...) if there is none."""
    if arch(entry) == "arm64":
        machine = qemu.Arm64(kernel, words(entry), smp=cpus(entry))
    else:
        machine = qemu.Machine(kernel, "direct", words(entry), smp=cpus(entry))
    scanner, found = records.Scanner(), []

    def look(data):
        items = (item for item in scanner.feed(data) if isinstance(item, records.Record))
        found.extend(record for record in items if record.type == "test")

    # What comes after the test, its sabotages, is not the question here.
    outcome = emulator.run(machine, log, lambda: 0 if found else SILENCE, LIMIT, look)
    if not found:
        return None, f"no record of the test; {outcome.ended or outcome.left.message or 'the kernel ended'}; {log}"
    return found[0].get("result"), found[0].get("detail")


class Shown:
    """`wrong`: why QEMU has not shown it, one line each; `said`: by the test that failed."""

    def __init__(self, entry):
        self.entry, self.wrong = entry, []
        build.make(f"ARCH={arch(entry)}", quiet=True)
        copy = zoo.COPIES / f"{entry.id}-in-qemu"
        kernel = build_copy(entry, copy)
        result, said = boot(entry, KERNELS[arch(entry)], copy / "clean.log")
        if result != "ok":
            self.wrong.append(f"without the bug: {result}: {said}")
        result, self.said = boot(entry, kernel, copy / "bug.log")
        if result != "not ok":
            self.wrong.append(f"with the bug: {result}: {self.said}")


def try_all(names):
    known = entries()
    chosen = [entry for entry in known if not names or entry.id == names[0]]
    if not chosen:
        raise errors.usage(f"zoo: QEMU shows no {names[0]}; accepted with --qemu are {', '.join(entry.id for entry in known)}")
    failed = 0
    for entry in chosen:
        shown = Shown(entry)
        failed += bool(shown.wrong)
        print(f"{entry.id:16} {'FAILED' if shown.wrong else 'shown':8} {entry.qemu['test']:20} {shown.said}", flush=True)
        for text in shown.wrong:
            print(f"    {text}")
    print(f"{len(chosen) - failed} passed, {failed} failed, 0 skipped")
    return errors.FAILED if failed else errors.OK
