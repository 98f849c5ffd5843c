#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The commands behind ./tlblab, as one table; each one's work is in its own module."""

import sys

import build
import check
import cli
import closure
import collect
import emulator
import errors
import pxe
import run
import sim
import zoo
from cli import Command, Option

ARCH = Option("--arch", "which port (default x86_64)", "x86_64|arm64", cli.choice("x86_64", "arm64"), "x86_64")
YES = Option("--yes", "install missing packages without a question")

COMMANDS = {}


def setup_command(arguments):
    """./tlblab has installed everything before this program starts, but for what is no package of this host."""
    if arguments.arch == "arm64":
        build.make("ARCH=arm64", "grub")
    print("all packages are there")
    return errors.OK


def build_command(arguments):
    print(build.build_arm64() if arguments.arch == "arm64" else build.build())
    return errors.OK


def iso_command(arguments):
    words = (arguments.options or "").split()
    for word in words:
        try:
            cli.kernel_word(word)
        except ValueError as accepted:
            raise errors.usage(f"iso --options {word}: accepted are {accepted}")
    print(build.iso(words, arguments.output, arch=arguments.arch))
    return errors.OK


def help_command(arguments):
    if arguments.words:
        name = arguments.words[0]
        if name not in COMMANDS:
            raise errors.usage(f"help: unknown command {name}; accepted are {', '.join(COMMANDS)}")
        print(cli.describe(name, COMMANDS[name]))
        return errors.OK
    print("tlblab: a laboratory for TLB shootdowns\n")
    for name, command in COMMANDS.items():
        print(f"  ./tlblab {name:8} {command.help}")
    print("\n'./tlblab help COMMAND' says more; './tlblab run -- help' has the kernel list what it knows.")
    print("Exit status: 0 ok, 1 a test failed, 2 bad usage or missing packages, 3 error, 4 records are missing or no end.")
    return errors.OK


COMMANDS |= {
    "run": Command(run.run, "build, boot in QEMU or Bochs, compare the strategies, print the table", [
        Option("--emulator", "bochs executes PCID, INVPCID, x2APIC; slow, BIOS only (default qemu)", "qemu|bochs",
               cli.choice("qemu", "bochs"), "qemu"),
        ARCH,
        Option("--firmware", "bios and uefi boot a medium, direct the ELF file or Image (default bios; arm64: direct)",
               "bios|uefi|direct", cli.choice("bios", "uefi", "direct")),
        Option("--medium", "from what firmware boots: the ISO, or (arm64) an EFI system partition (default iso; arm64: esp)",
               "iso|esp", cli.choice("iso", "esp")),
        Option("--accel", "tcg emulates, kvm needs /dev/kvm (default tcg)", "tcg|kvm", cli.choice("tcg", "kvm")),
        Option("--cpu", "CPU model (default max; host with kvm; corei7_haswell_4770 in Bochs)", "MODEL"),
        Option("--smp", "CPUs (default: those of this host, at least 2; 4 in Bochs)", "N", cli.number(1, 255)),
        Option("--memory", "memory in MiB (default 512)", "MIB", cli.number(4, 1 << 20), 512),
        Option("--icount", "deterministic QEMU: the clock counts instructions, one CPU runs at a time"),
        Option("--timeout", "end a run that has been silent for S seconds (default 120)", "S",
               cli.number(1, 86400), emulator.SILENCE),
        Option("--output", "directory for the results (default results/<time>/)", "DIR"),
        Option("--ktap", "print the guest's tests as KTAP, and no table"),
        Option("--qemu-arg", "one more argument for QEMU; may be repeated", "X", many=True),
        YES], kernel=True),
    "collect": Command(collect.collect, "catch a run on a serial line, or decode a log of it", collect.OPTIONS, words="SOURCE"),
    "build": Command(build_command, "build the kernel: x86-64's ELF file; arm64's Image, an EFI application too", [ARCH, YES]),
    "iso": Command(iso_command, "build the ISO, for CD or stick, BIOS or UEFI (arm64: UEFI)", [
        ARCH,
        Option("--options", "kernel options that it boots into at once (default: a menu)", '"OPTIONS"'),
        Option("--output", "where to write it (default build/)", "FILE", short="-o"), YES]),
    "pxe": Command(pxe.pxe, "a TFTP tree to boot machines from, and the dnsmasq configuration for it", pxe.OPTIONS, words="DIR"),
    "check": Command(check.check, "everything that proves it right", check.OPTIONS + [YES]),
    "sim": Command(sim.sim, "build the simulator, run scenarios in it for many schedules", sim.OPTIONS + [YES]),
    "zoo": Command(zoo.zoo, "real bugs put back one at a time, each caught by its oracle", zoo.OPTIONS + [YES], words="ID"),
    "closure": Command(closure.closure, "every state of the ASID allocators' C", closure.OPTIONS + [YES], words="MODEL"),
    "setup": Command(setup_command, "install the packages that run needs", [ARCH, YES]),
    "help": Command(help_command, "this text, or more on one command", words="COMMAND"),
}


def main(argv):
    name, *rest = argv or ["help"]
    name = "help" if name in ("-h", "--help") else name
    try:
        if name not in COMMANDS:
            raise errors.usage(f"unknown command {name}; accepted are {', '.join(COMMANDS)}")
        command = COMMANDS[name]
        if rest[:1] in (["-h"], ["--help"]):
            print(cli.describe(name, command))
            return errors.OK
        return command.run(cli.parse(name, command, rest))
    except errors.Error as error:
        print(f"{error.details}tlblab: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("tlblab: interrupted", file=sys.stderr)
        return errors.INCOMPLETE
    except BrokenPipeError:
        return errors.INCOMPLETE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
