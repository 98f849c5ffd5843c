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
    _make(report, "gcc", "BUILD=build/check/gcc")


@step("normal")
def build_clang(report):
    """clang and lld, warnings are errors"""
    for program in ("clang", "ld.lld"):
        if not shutil.which(program):
            report.skip("clang", f"{program} is not installed")
            return
    _make(report, "clang", "CC=clang", "LD=ld.lld", "BUILD=build/check/clang")


@step("quick")
def lint_objects(report):
    """registries are whole, state is in one place"""
    build.build(quiet=True)
    files = source.tree(build.TOP)
    outside = objects.state_outside_machine(build.ELF.parent)
    report.expect("mutable objects outside struct machine", not outside, "\n".join(outside))
    for section, macro in sorted(objects.registries(files).items()):
        entries, array = objects.linked(build.ELF, section)
        wanted = objects.declared(files, macro)
        found = f"{wanted} {macro}() in the source, {entries} linked, as an array: {array}"
        report.expect(f"registry {section}", entries == wanted and array, found)
        checked = any(f"REGISTRY_CHECK({section})" in f.code for f in files if f.path == "boot/registries.c")
        report.expect(f"registry {section} is checked at boot", checked, f"boot/registries.c lacks {section}")
