# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab pxe DIR`: a TFTP tree from which machines boot by PXE, with GRUB, and the dnsmasq configuration that serves it.

    DIR/boot/grub/i386-pc/core.0, x86_64-efi/core.efi, arm64-efi/core.efi    what firmware loads, by its architecture
    DIR/boot/grub/grub.cfg          one for all: the options of the machine, then its kernel
    DIR/tlblab/                     the kernels
    DIR/tlblab/hosts/MAC.cfg        what one machine boots into; default.cfg: any other

Each time what is for one architecture is made anew; the rest stays, and what stands in hosts/: so architectures and machines are
added one by one.
"""

import pathlib
import re
import subprocess

import build
import cli
import errors
from cli import Option

OPTIONS = [
    Option("--arch", "machines of this architecture (default x86_64); what DIR has for the other stays", "x86_64|arm64",
           cli.choice("x86_64", "arm64"), "x86_64"),
    Option("--host", "the options are for the machine with this MAC address (default: for all that have none)", "MAC"),
    Option("--options", "kernel options to boot into, console= among them", '"OPTIONS"'),
    Option("--interface", "network interface that dnsmasq is to serve (default eth1)", "IF", default="eth1"),
    Option("--range", "addresses that it gives out (default 10.66.0.50,10.66.0.250)", "FIRST,LAST",
           default="10.66.0.50,10.66.0.250"),
    Option("--yes", "install missing packages without a question"),
]

GRUB = pathlib.Path("/usr/lib/grub")
DEFAULT = "tests=all"  # what a machine boots into that nobody has said anything about

# GRUB's architectures: the client architectures of DHCP (RFC 4578, RFC 5970 and IANA's list after them), the image's name.
ARCHES = {"i386-pc": ((0,), "core.0"), "x86_64-efi": ((7, 9), "core.efi"), "arm64-efi": ((11,), "core.efi")}
OF = {"x86_64": ("i386-pc", "x86_64-efi"), "arm64": ("arm64-efi",)}
PACKAGES = {"i386-pc": "grub-pc-bin", "x86_64-efi": "grub-efi-amd64-bin"}

GRUB_CFG = """\
# Made by ./tlblab pxe, which writes it anew; what a machine boots into stands in tlblab/hosts/.
# (`source` succeeds for a file that is not there, and tests of files fail over TFTP.)
source ($root)/tlblab/hosts/$net_default_mac.cfg
if [ -z "$tlblab_known" ]; then source ($root)/tlblab/hosts/default.cfg; fi
if [ -n "$tlblab_serial" ]; then
	serial $tlblab_serial
	terminal_input console serial
	terminal_output console serial
fi
echo "tlblab: $net_default_mac: $tlblab_options"
if [ "$grub_cpu" = arm64 ]; then
	linux ($root)/tlblab/tlblab-arm64.efi $tlblab_options
else
	multiboot2 ($root)/tlblab/tlblab-x86_64.elf $tlblab_options
fi
boot
"""

DNSMASQ = """\
# dnsmasq as DHCP and TFTP server for tlblab, on one interface: dnsmasq --conf-file=THIS FILE --no-daemon, as root.
# The interface must have an address in the range's network, and no other DHCP server may be there. Where one is and stays, take
# the three lines of "beside another DHCP server" in the place of dhcp-range= (firmware then asks both).
port=0
interface={interface}
bind-interfaces
dhcp-range={range},1h
# beside another DHCP server: dhcp-range=NETWORK,proxy
#                             pxe-service=x86PC,tlblab,boot/grub/i386-pc/core
#                             pxe-service=X86-64_EFI,tlblab,boot/grub/x86_64-efi/core.efi
enable-tftp
tftp-root={root}
# Firmware says which architecture it is (DHCP option 93), and gets the GRUB for it.
{arches}
log-dhcp
"""


def mac(text):
    """As GRUB writes it: lower case, colons."""
    digits = re.sub(r"[:-]", "", text).lower()
    if not re.fullmatch(r"([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", text):
        raise errors.usage(f"pxe --host {text}: accepted is a MAC address such as 52:54:00:12:34:56")
    return ":".join(digits[n : n + 2] for n in range(0, 12, 2))


def words(text):
    out = text.split()
    for word in out:
        try:
            cli.kernel_word(word)
        except ValueError as accepted:
            raise errors.usage(f"pxe --options {word}: accepted are {accepted}")
    return out


def grub_serial(options):
    """What GRUB's `serial` takes, for the port that console= names: both talk on one line. None: as firmware has it."""
    spec = next((w[len("console=") :] for w in options if w.startswith("console=")), "ttyS0")
    port, _, baud = spec.partition(",")
    if port in ("ttyS0", "ttyS1"):
        return f"--unit={port[-1]} --speed={baud or 115200}"
    if re.fullmatch(r"io:0x[0-9a-fA-F]+", port):
        return f"--port={port[len('io:'):]} --speed={baud or 115200}"
    return None


def host_cfg(options):
    text = f"set tlblab_known=yes\nset tlblab_options=\"{' '.join(options)}\"\n"
    serial = grub_serial(options)
    # arm64's GRUB has no driver for a serial port: there the console is firmware's.
    return text + (f'if [ "$grub_cpu" != arm64 ]; then set tlblab_serial="{serial}"; fi\n' if serial else "")


def _grub(arch):
    """The directory of GRUB's modules."""
    if arch == "arm64-efi" and not (GRUB / arch / "linux.mod").exists():  # a package of arm64 only: fetched
        build.make("ARCH=arm64", "grub", quiet=True)
        return build.BUILD / "grub" / arch
    if not (GRUB / arch).is_dir():
        raise errors.Error(f"{GRUB / arch} is missing; it is in Debian's package {PACKAGES[arch]}")
    return GRUB / arch


def _kernel(arch, path):
    """TFTP by BIOS is slow: without what only debuggers read, the ELF file is an eighth."""
    if arch == "arm64":
        (path / "tlblab" / "tlblab-arm64.efi").write_bytes(build.build_arm64(quiet=True).read_bytes())
        return
    command = ["objcopy", "--strip-debug", str(build.build(quiet=True)), str(path / "tlblab" / "tlblab-x86_64.elf")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise errors.Error("objcopy failed", details=done.stdout + done.stderr)


def tree(path, arch="x86_64", host=None, options=None):
    """Makes or renews the tree for machines of this architecture; returns GRUB's architectures that are in it."""
    hosts = path / "tlblab" / "hosts"
    try:
        hosts.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise errors.usage(f"pxe {path}: {error.strerror}; accepted is a directory")
    _kernel(arch, path)
    for one in OF[arch]:
        command = ["grub-mknetdir", f"--net-directory={path.resolve()}", "--subdir=boot/grub", "-d", str(_grub(one))]
        done = subprocess.run(command + ["--locales=", "--fonts=", "--themes="], capture_output=True, text=True)
        if done.returncode:
            raise errors.Error(f"grub-mknetdir failed for {one}", details=done.stdout + done.stderr)
    (path / "boot" / "grub" / "grub.cfg").write_text(GRUB_CFG, encoding="ascii")
    if not (hosts / "default.cfg").exists():
        (hosts / "default.cfg").write_text(host_cfg([DEFAULT]), encoding="ascii")
    if options is not None:
        (hosts / f"{host or 'default'}.cfg").write_text(host_cfg(options), encoding="ascii")
    return [one for one, (_, image) in ARCHES.items() if (path / "boot" / "grub" / one / image).exists()]


def dnsmasq(path, arches, interface, addresses):
    lines = []
    for arch in arches:
        numbers, image = ARCHES[arch]
        if arch == "i386-pc":
            lines.append(f"dhcp-boot=boot/grub/{arch}/{image}")
            continue
        lines += [f"dhcp-match=set:{arch},option:client-arch,{n}" for n in numbers]
        lines.append(f"dhcp-boot=tag:{arch},boot/grub/{arch}/{image}")
    return DNSMASQ.format(interface=interface, range=addresses, root=path.resolve(), arches="\n".join(lines))


def pxe(arguments):
    if not arguments.words:
        raise errors.usage("pxe: DIR is missing; accepted is a directory for the TFTP tree")
    if arguments.host and arguments.options is None:
        raise errors.usage("pxe --host: needs --options, what that machine is to boot into")
    octet = r"(25[0-5]|2[0-4]\d|1?\d?\d)"
    address = rf"{octet}(\.{octet}){{3}}"
    if not re.fullmatch(f"{address},{address}", arguments.range):
        raise errors.usage(f"pxe --range {arguments.range}: accepted are two IPv4 addresses, FIRST,LAST")
    if not re.fullmatch(r"[A-Za-z0-9_.@-]{1,15}", arguments.interface):
        raise errors.usage(f"pxe --interface {arguments.interface}: accepted is the name of a network interface")
    path = pathlib.Path(arguments.words[0])
    if path.exists() and not path.is_dir():
        raise errors.usage(f"pxe {path}: is no directory; accepted is a directory for the TFTP tree")
    options = None if arguments.options is None else words(arguments.options)
    arches = tree(path, arguments.arch, mac(arguments.host) if arguments.host else None, options)
    print(dnsmasq(path, arches, arguments.interface, arguments.range), end="")
    return errors.OK
