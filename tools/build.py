# SPDX-License-Identifier: BSD-2-Clause
"""What the host side knows of the build: where things are, and how make is called."""

import contextlib
import fcntl
import os
import pathlib
import subprocess
import sys

from errors import Error

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = TOP / "build"
ELF = BUILD / "x86_64" / "tlblab.elf"
ELF_ARM64 = BUILD / "arm64" / "tlblab.elf"
IMAGE_ARM64 = BUILD / "tlblab-arm64.efi"

STRICT = []  # what every make() gets too: check has WERROR=1 here, so that it builds everything once


@contextlib.contextmanager
def _one_at_a_time():
    """Two makes in one build/ would write the same files."""
    BUILD.mkdir(exist_ok=True)
    with open(BUILD / ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make(*arguments, quiet=False):
    """make with all host cores. Its output goes to stderr (stdout is for the table), if quiet only when it fails: then Error."""
    command = ["make", "-C", str(TOP), "--no-print-directory", f"-j{os.cpu_count()}", *STRICT, *arguments]
    output = subprocess.PIPE if quiet else sys.stderr
    with _one_at_a_time():
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    if done.returncode:
        what = " ".join(("make", *arguments))
        raise Error(f"'{what}' failed with status {done.returncode}", details=(done.stdout or b"").decode(errors="replace"))


def build(quiet=False):
    """The kernel as an ELF file; returns its path."""
    make(quiet=quiet)
    return ELF


def build_arm64(quiet=False):
    """The arm64 kernel, Linux Image and EFI application in one; returns its path."""
    make("ARCH=arm64", quiet=quiet)
    return IMAGE_ARM64


def iso(options=(), output=None, quiet=False, arch="x86_64"):
    """
    An ISO; returns its path. With options it boots into them at once; without, it shows GRUB's menu and is build/tlblab-ARCH.iso.
    """
    menu = BUILD / f"tlblab-{arch}.iso"
    path = pathlib.Path(output).resolve() if output else BUILD / f"run-{arch}.iso" if options else menu
    arguments = [f"OPTIONS={' '.join(options)}"] if options else []
    make("iso", f"ARCH={arch}", f"ISO={path}", *arguments, quiet=quiet)
    return path


def esp(options=(), output=None, quiet=False):
    """A FAT file system with the arm64 kernel and, as its tlblab.cfg, these options; returns its path."""
    path = output or BUILD / "run-arm64.esp"
    make("esp", "ARCH=arm64", f"ESP={path}", f"OPTIONS={' '.join(options)}", quiet=quiet)
    return path


def for_run(firmware, options):
    """What `run` boots. An ISO without options would show its menu, so it boots into the menu's default: everything compared."""
    print("building", file=sys.stderr)
    return build(quiet=True) if firmware == "direct" else iso(options or ["tlb=all"], quiet=True)


def for_run_arm64(firmware, medium, options):
    """The same for arm64, and what it is: "kernel", "esp" or "iso"."""
    print("building", file=sys.stderr)
    if firmware == "direct":
        return build_arm64(quiet=True), "kernel"
    if medium == "esp":
        return esp(options, quiet=True), medium
    return iso(options or ["tlb=all"], quiet=True, arch="arm64"), medium
