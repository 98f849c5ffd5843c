# SPDX-License-Identifier: BSD-2-Clause
"""./tlblab's package logic, with a dpkg-query, apt-get, id and sudo that are made here and only write down how they were called."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import common


def sections():
    """tools/packages.txt as {section: names}, each with those before it."""
    out, names = {}, []
    for line in (common.TOP / "tools" / "packages.txt").read_text().splitlines():
        word = line.split("#")[0].strip()
        if word.startswith("["):
            out[word.strip("[]")] = names = list(names)
        elif word:
            names.append(word)
    return out


class Packages(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.bin = pathlib.Path(directory.name)
        self.calls = self.bin / "calls"
        for name in ("dirname", "sed", "tr", "grep", "env", "cat", "sh"):
            (self.bin / name).symlink_to(subprocess.check_output(["sh", "-c", f"command -v {name}"], text=True).strip())
        self.tool("apt-get", f'echo "apt-get $* $DEBIAN_FRONTEND" >>{self.calls}')
        self.uid(0)

    def tool(self, name, body):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def uid(self, number):
        self.tool("id", f"echo {number}")

    def installed(self, names):
        """dpkg-query that knows these, and one that was removed."""
        self.tool("dpkg-query", f'for p in "$@"; do case " {" ".join(names)} " in *" $p "*) echo "installed $p";; esac; done\n'
                  'echo "config-files make"; exit 1')

    def run_it(self, *arguments, **environment):
        """(status, output, apt-get calls)"""
        done = subprocess.run(["/bin/sh", str(common.TOP / "tlblab"), *arguments], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={"PATH": str(self.bin), **environment}, timeout=60)
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return done.returncode, done.stdout + done.stderr, calls

    def test_nothing_missing_asks_nothing(self):
        self.installed(sections()["run"])
        status, out, calls = self.run_it("setup")
        self.assertEqual((status, calls), (0, []), out)

    def test_only_the_missing_ones_and_only_what_the_command_needs(self):
        self.installed([p for p in sections()["run"] if p not in ("xorriso", "ovmf")])
        _, _, calls = self.run_it("setup", "--yes")
        self.assertEqual(calls[0], "apt-get -q update noninteractive")
        self.assertEqual(calls[1], "apt-get -q install -y --no-install-recommends xorriso ovmf noninteractive")
        self.assertEqual(len(calls), 2)

    def test_each_command(self):
        sections_of = {"help": "host", "collect": "host", "setup": "run", "zoo": "sim", "iso": "iso-x86", "pxe": "iso-x86"}
        sections_of |= {c: c for c in ("build", "sim", "run", "check")}
        for command, section in sections_of.items():
            self.installed([])
            status, out, _ = self.run_it(command)
            named = re.search(r"packages that are missing: (.*)", out)[1].split()
            self.assertEqual((status, named), (2, sections()[section]), command)

    def test_bochs_only_where_it_is_asked_for(self):
        self.installed(sections()["run"])
        for words in (["--emulator", "bochs"], ["--emulator=bochs"]):
            self.assertIn("packages that are missing: bochs bochs-term", self.run_it("run", *words)[1])
        behind = ["run", "--smp=0", "--", "--emulator", "bochs"]
        for words in (["setup"], ["run", "--emulator", "none"], behind, ["iso", "--emulator", "bochs"]):
            self.assertNotIn("packages that are missing", self.run_it(*words)[1])

    def test_arm64_only_where_it_is_asked_for(self):
        self.installed([])
        wanted = sections()["build"] + ["gcc-aarch64-linux-gnu", "qemu-system-arm"]
        for words in (["run", "--arch", "arm64"], ["run", "--arch=arm64"], ["build", "--arch", "arm64"]):
            named = re.search(r"packages that are missing: (.*)", self.run_it(*words)[1])[1].split()
            self.assertEqual(named, wanted, words)
        self.installed(sections()["run"])
        behind = ["run", "--smp=0", "--", "--arch", "arm64"]
        for words in (["setup"], ["run", "--arch", "x86_64"], behind, ["run", "--firmware", "uefi", "--smp=0"]):
            self.assertNotIn("packages that are missing", self.run_it(*words)[1])

    def test_arm64_by_uefi(self):
        self.installed([])
        wanted = sections()["build"] + ["grub-common", "xorriso", "mtools", "gcc-aarch64-linux-gnu", "qemu-system-arm"]
        wanted += ["qemu-efi-aarch64"]
        by_uefi = ["run", "--arch", "arm64", "--firmware=uefi"], ["run", "--firmware", "uefi", "--arch=arm64"]
        for words in (*by_uefi, ["iso", "--arch", "arm64"], ["pxe", "--arch", "arm64"], ["setup", "--arch", "arm64"]):
            named = re.search(r"packages that are missing: (.*)", self.run_it(*words)[1])[1].split()
            self.assertEqual(named, wanted, words)
        self.assertIn(" qemu-efi-aarch64 ", self.run_it("check")[1])

    def test_without_a_terminal_it_names_the_command_and_does_nothing(self):
        self.installed([])
        status, out, calls = self.run_it("setup")
        self.assertEqual((status, calls), (2, []))
        self.assertIn("apt-get update && apt-get install --no-install-recommends python3 gcc make", out)

    def test_ci_needs_no_question(self):
        self.installed([])
        self.assertEqual(len(self.run_it("setup", CI="true")[2]), 2)

    def test_sudo(self):
        self.uid(1000)
        self.installed([])
        self.tool("sudo", f'echo "sudo $*" >>{self.calls}')
        _, _, calls = self.run_it("setup", "--yes")
        self.assertTrue(calls[1].startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get -q install -y"), calls)

    def test_neither_root_nor_sudo(self):
        self.uid(1000)
        self.installed([])
        status, out, calls = self.run_it("setup", "--yes")
        self.assertEqual((status, calls), (2, []))
        self.assertIn("as root: apt-get update && apt-get install", out)

    def test_apt_failure_is_the_end(self):
        self.installed([])
        self.tool("apt-get", "exit 100")
        self.assertEqual(self.run_it("setup", "--yes")[0], 100)

    def test_another_system(self):
        os.unlink(self.bin / "apt-get")
        self.installed([])
        status, out, _ = self.run_it("run")
        self.assertEqual(status, 2)
        self.assertIn("neither Debian nor Ubuntu", out)
        self.assertIn("qemu-system-x86", out)

    def test_yes_behind_the_dashes_belongs_to_the_kernel(self):
        self.installed([])
        self.assertEqual(self.run_it("run", "--", "--yes")[0], 2)


if __name__ == "__main__":
    unittest.main()
