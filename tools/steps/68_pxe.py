# SPDX-License-Identifier: BSD-2-Clause
"""
Machines boot by PXE from what `./tlblab pxe` makes: dnsmasq serves it with the configuration that it prints, in a network of its
own.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import build
import qemu
import trial
from check import step

# MAC: (name, which machine, options that it is given; None: it is unknown, and boots into the default).
MACHINES = {
    "52:54:00:00:66:03": ("unknown", "uefi", None),
    "52:54:00:00:66:04": ("arm64", "arm64", "tests=none bench=none seed=14"),
    "52:54:00:00:66:01": ("BIOS", "bios", "tests=none bench=none seed=11 console=ttyS0,57600"),
    "52:54:00:00:66:02": ("UEFI", "uefi", "tests=none bench=none seed=12"),
}
DEFAULT = "tests=none bench=none seed=10"
SILENCE = 120  # seconds: firmware says nothing while it loads


class Network:
    """A network namespace with a bridge, 10.66.0.1, and a tap; it ends with whoever holds it."""

    def __init__(self, directory):
        self.directory = directory

    def __enter__(self):
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "900"], stderr=subprocess.DEVNULL)
        mine = os.readlink("/proc/self/ns/net")
        for _ in range(100):
            if os.readlink(f"/proc/{self.holder.pid}/ns/net") != mine:
                break
            time.sleep(0.05)
        self.inside = ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net"]
        lines = ["link add br0 type bridge stp_state 0 forward_delay 0", "addr add 10.66.0.1/24 dev br0", "link set br0 up"]
        lines += ["tuntap add tap0 mode tap", "link set tap0 master br0", "link set tap0 up"]
        for line in lines:
            subprocess.run([*self.inside, "ip", *line.split()], check=True, capture_output=True)
        return self

    def serve(self, conf):
        words = ["dnsmasq", "--no-daemon", f"--conf-file={conf}", "--user=root", f"--dhcp-leasefile={self.directory}/leases"]
        self.log = open(self.directory / "dnsmasq.log", "wb")
        self.server = subprocess.Popen([*self.inside, *words, "--pid-file="], stdout=self.log, stderr=self.log)

    def __exit__(self, *why):
        for process in (getattr(self, "server", None), self.holder):
            if process:
                process.terminate()
                process.wait()


def _netboot(kind, mac, inside):
    """A machine without disks, in that network."""
    base = qemu.Arm64 if kind == "arm64" else qemu.Machine
    rom = "" if kind == "bios" else ",romfile="  # UEFI has a driver and PXE of its own

    class Netboot(base):
        def command(self):
            return [*inside, *super().command()]

        def _medium(self):
            card = f"virtio-net-pci,netdev=n0,mac={mac}{rom},bootindex=0"
            return ["-netdev", "tap,id=n0,ifname=tap0,script=no,downscript=no", "-device", card]

    return Netboot(None, smp=2, firmware="uefi", medium="net") if kind == "arm64" else Netboot(None, kind, smp=2)


def _why_not():
    """None, or what this machine lacks."""
    if os.geteuid() != 0:
        return "it takes root"
    for program in ("dnsmasq", "ip", "unshare", "nsenter"):
        if not shutil.which(program) and not shutil.which(program, path="/usr/sbin:/sbin"):
            return f"{program} is not installed"
    if not os.path.exists("/dev/net/tun"):
        return "there is no /dev/net/tun"
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode:
        return "network namespaces can't be made"
    return None


def _pxe(report, directory, *words):
    command = [sys.executable, str(build.TOP / "tools" / "main.py"), "pxe", str(directory / "tftp"), "--interface", "br0", *words]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    report.expect(f"pxe {' '.join(words)}", done.returncode == 0, done.stdout + done.stderr)
    return done.stdout


def _boots(report, name, kind, mac, options, inside, log):
    if kind == "uefi" and not qemu.OVMF_CODE.exists() or kind == "arm64" and not qemu.AAVMF_CODE.exists():
        report.skip(name, "its firmware is not installed")
        return
    one = trial.Trial(report, name, _netboot(kind, mac, inside), silence=SILENCE)
    if one.wrong or one.log.verdict != "ok":
        report.fail(name, "\n".join(log.read_text(errors="replace").splitlines()[-6:]) + "\n" + one.tail(), log=one.path)
        return
    cmdline = one.log.first("start").get("cmdline").split()
    wanted = (options or DEFAULT).split()
    report.expect(f"{name}: options", cmdline[-len(wanted) :] == wanted, f"{cmdline}, not {wanted}")


@step("normal", one_cpu=True)
def pxe(report):
    """BIOS, UEFI and arm64 machines boot over a network, each with its options, an unknown one with the default"""
    why = _why_not()
    if why:
        report.skip("pxe", why)
        return
    with contextlib.ExitStack() as stack:
        directory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        _pxe(report, directory, "--options", DEFAULT)
        for mac, (_, kind, options) in MACHINES.items():
            if options:
                arch = ["--arch", "arm64"] if kind == "arm64" else []
                conf = _pxe(report, directory, "--host", mac.upper(), "--options", options, *arch)
        (directory / "conf").write_text(conf)
        network = stack.enter_context(Network(directory))
        network.serve(directory / "conf")
        for mac, (name, kind, options) in MACHINES.items():
            _boots(report, name, kind, mac, options, network.inside, directory / "dnsmasq.log")
