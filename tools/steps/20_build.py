# SPDX-License-Identifier: BSD-2-Clause
"""The kernel builds without a warning, with each compiler, and the result has the shape that it should have."""

import shutil
import subprocess

import build
import objects
import source
from check import step


def _make(report, name, *arguments):
    command = ["make", "-C", str(build.TOP), "--no-print-directory", "-j2", "WERROR=1", *arguments]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return report.expect(name, done.returncode == 0, done.stdout)


@step("quick")
def build_gcc(report):
    """gcc and ld, warnings are errors"""
    _make(report, "gcc")


@step("normal")
def build_clang(report):
    """clang and lld, warnings are errors"""
    for program in ("clang", "ld.lld"):
        if not shutil.which(program):
            report.skip("clang", f"{program} is not installed")
            return
    _make(report, "clang", "CC=clang", "LD=ld.lld", "BUILD=build/check/clang")


@step("normal")
def build_arm64(report):
    """the arm64 kernel with each compiler, warnings are errors"""
    _make(report, "gcc", "ARCH=arm64")
    if shutil.which("clang") and shutil.which("ld.lld"):
        _make(report, "clang", "ARCH=arm64", "CC=clang --target=aarch64-linux-gnu", "LD=ld.lld", "BUILD=build/check/arm64-clang")
    else:
        report.skip("clang", "clang or lld is not installed")


def _lint_objects(report, elf, port):
    files = source.tree(build.TOP)
    outside = objects.state_outside_machine(elf.parent)
    report.expect("mutable objects outside struct machine", not outside, "\n".join(outside))
    for section, macro in sorted(objects.registries(files, port).items()):
        entries, array = objects.linked(elf, section)
        wanted = objects.declared(files, macro, port)
        found = f"{wanted} {macro}() in the source, {entries} linked, as an array: {array}"
        report.expect(f"registry {section}", entries == wanted and array, found)
        checked = any(f"REGISTRY_CHECK({section})" in f.code for f in files if f.path == "boot/registries.c")
        report.expect(f"registry {section} is checked at boot", checked, f"boot/registries.c lacks {section}")


@step("quick")
def lint_objects(report):
    """registries are whole, state is in one place"""
    build.build(quiet=True)
    _lint_objects(report, build.ELF, "x86")


@step("normal")
def lint_objects_arm64(report):
    """the same of the arm64 kernel, and that its EFI stub runs wherever it is"""
    build.build_arm64(quiet=True)
    _lint_objects(report, build.ELF_ARM64, "arm64")
    for name in ("arch/arm64/metal/stub.c.o", "lib/string.c.o"):
        bound = objects.linked_addresses(build.ELF_ARM64.parent / name)
        report.expect(f"addresses in {name}", not bound, "\n".join(bound))
