# SPDX-License-Identifier: BSD-2-Clause
"""The command line: what is wrong is said in one line and ends with status 2; how a run's end becomes an exit status."""

import io
import unittest

import common  # first: it makes tools/ importable
import bochs
import check
import cli
import emulator
import errors
import main
import progress
import qemu
import records
import run
import runs
import synthetic


class Usage(unittest.TestCase):
    WRONG = {
        "unknown command": (["frobnicate"], "accepted are run"),
        "unknown option": (["run", "--frob"], "--firmware"),
        "option of another command": (["collect", "--smp", "2", "x"], "--output"),
        "firmware": (["run", "--firmware", "coreboot"], "bios, uefi, direct"),
        "firmware with =": (["run", "--firmware=coreboot"], "bios, uefi, direct"),
        "accel": (["run", "--accel", "hvf"], "tcg, kvm"),
        "smp 0": (["run", "--smp", "0"], "1 to 255"),
        "smp text": (["run", "--smp", "two"], "1 to 255"),
        "memory": (["run", "--memory", "1"], "4 to"),
        "timeout": (["run", "--timeout", "-1"], "1 to"),
        "value missing": (["run", "--smp"], "needs a value"),
        "value too many": (["run", "--icount=1"], "takes no value"),
        "kernel option without --": (["run", "tlb=ipi"], "kernel options follow --"),
        "kernel option with a space": (["run", "--", "tlb=ipi lazy"], "letters"),
        "kernel option with $": (["run", "--", "tlb=$x"], "letters"),
        "iso option": (["iso", "--options", "tlb=ipi;reboot"], "letters"),
        "emulator": (["run", "--emulator", "simics"], "qemu, bochs"),
        "Bochs by UEFI": (["run", "--emulator", "bochs", "--firmware", "uefi"], "accepted is bios"),
        "Bochs with an ELF file": (["run", "--emulator", "bochs", "--firmware=direct"], "accepted is bios"),
        "Bochs with an accelerator": (["run", "--emulator", "bochs", "--accel", "tcg"], "interprets"),
        "Bochs with icount": (["run", "--emulator", "bochs", "--icount"], "always counts"),
        "Bochs with an argument for QEMU": (["run", "--emulator", "bochs", "--qemu-arg", "-s"], "--emulator qemu"),
        "Bochs with many CPUs": (["run", "--emulator", "bochs", "--smp", "9"], "1 to 8"),
        "Bochs with much memory": (["run", "--emulator", "bochs", "--memory", "4096"], "4 to 2048"),
        "Bochs that would start again": (["run", "--emulator", "bochs", "--", "end=reboot"], "accepted are auto"),
        "arm64 by BIOS": (["run", "--arch", "arm64", "--firmware", "bios"], "accepted with --arch arm64 are uefi, direct"),
        "arm64 from nothing": (["run", "--arch", "arm64", "--medium", "iso"], "needs --firmware uefi"),
        "x86 from an ESP": (["run", "--firmware", "uefi", "--medium=esp"], "accepted is iso"),
        "x86 from nothing": (["run", "--firmware", "direct", "--medium=iso"], "needs --firmware bios or uefi"),
        "Bochs from an ESP": (["run", "--emulator", "bochs", "--medium", "esp"], "Bochs boots the ISO"),
        "another medium": (["run", "--medium", "tape"], "iso, esp"),
        "arm64 in Bochs": (["run", "--arch", "arm64", "--emulator", "bochs"], "accepted is x86_64"),
        "another architecture": (["build", "--arch", "mips"], "x86_64, arm64"),
        "icount with kvm": (["run", "--icount", "--accel", "kvm"], "tcg"),
        "no file": (["collect"], "SOURCE is missing"),
        "file that is not there": (["collect", "/nonexistent"], "No such file"),
        "directory": (["collect", "/"], "is a directory"),
        "two files": (["collect", "a", "b"], "unexpected argument b"),
        "no port": (["collect", "tcp:host"], "1 to 65535"),
        "port": (["collect", "tcp:host:99999"], "1 to 65535"),
        "no command": (["collect", "exec:no-such-command x"], "no command no-such-command"),
        "command with half a quote": (["collect", "exec:cat 'x"], "No closing quotation"),
        "speed": (["collect", "/dev/null,1234567"], "115200"),
        "speed of a file": (["collect", "/etc/passwd,115200"], "no serial device"),
        "silence": (["collect", "--timeout", "0", "-"], "1 to"),
        "pxe without a directory": (["pxe"], "DIR is missing"),
        "pxe into a file": (["pxe", "/etc/passwd"], "a directory"),
        "pxe host": (["pxe", "--host", "52:54:00:12:34", "--options", "tests=all", "x"], "52:54:00:12:34:56"),
        "pxe host without options": (["pxe", "--host", "52:54:00:12:34:56", "x"], "needs --options"),
        "pxe options": (["pxe", "--options", "tlb=ipi;x", "x"], "letters"),
        "pxe range": (["pxe", "--range", "10.0.0.1", "x"], "FIRST,LAST"),
        "pxe range of nonsense": (["pxe", "--range", "10.0.0.1,10.0.0.999", "x"], "FIRST,LAST"),
        "pxe interface": (["pxe", "--interface", "a b", "x"], "network interface"),
        "check": (["check", "--fast"], "--quick"),
        "check levels": (["check", "--quick", "--all"], "exclude"),
        "check pattern": (["check", "-k", "nothing-like-it"], "accepted are"),
        "arch": (["sim", "--arch", "mips"], "arm64"),
        "seed": (["sim", "--seed", "-1"], "0 to"),
        "CPUs of the simulator": (["sim", "--cpus", "1025"], "1 to 1024"),
        "schedules": (["sim", "--schedules", "0"], "1 to"),
        "zoo entry": (["zoo", "Z99"], "A1, A2"),
        "zoo seeds": (["zoo", "--seeds", "none"], "1 to"),
        "zoo table's seeds": (["zoo", "--write", "--seeds", "3"], "its own number"),
        "help": (["help", "frob"], "accepted are run"),
    }

    def test_one_line_that_says_what_is_accepted(self):
        for name, (arguments, accepted) in self.WRONG.items():
            with self.subTest(name):
                status, out, err = common.tlblab(*arguments)
                self.assertEqual((status, out), (errors.USAGE, ""))
                self.assertEqual(err.count("\n"), 1, err)
                self.assertTrue(err.startswith("tlblab: "), err)
                self.assertIn(accepted, err)

    def test_help_names_every_command_and_option(self):
        status, out, _ = common.tlblab("help")
        self.assertEqual(status, errors.OK)
        for name, command in main.COMMANDS.items():
            self.assertIn(f"./tlblab {name}", out)
            status, text, _ = common.tlblab("help", name)
            self.assertEqual(status, errors.OK)
            for option in command.options:
                self.assertIn(option.name, text)

    def test_qemu_arguments_may_begin_with_a_dash(self):
        words = ["--qemu-arg", "-device", "--qemu-arg=edu", "--smp=3", "--", "tlb=ipi", "--x"]
        arguments = cli.parse("run", main.COMMANDS["run"], words)
        self.assertEqual((arguments.qemu_arg, arguments.smp, arguments.kernel), (["-device", "edu"], 3, ["tlb=ipi", "--x"]))


class Emulators(unittest.TestCase):
    def test_options_do_what_they_say(self):
        line = qemu.Machine("k", "direct", ["a=1", "b"], "kvm", None, 3, 99, False, ["-foo"]).command()
        for pair in (["-smp", "3"], ["-m", "99"], ["-cpu", "host"], ["-accel", "kvm"], ["-append", "a=1 b"], ["-kernel", "k"]):
            self.assertIn(pair, [line[n : n + 2] for n in range(len(line))])
        self.assertEqual(line[-1], "-foo")
        line = qemu.Arm64("i", ["a=1", "b"], cpu="cortex-a72", smp=3, gic=2, el2=True).command()
        for words in (["-M", "virt,gic-version=2,virtualization=on"], ["-cpu", "cortex-a72"], ["-append", "a=1 b"]):
            at = line.index(words[0])
            self.assertEqual(line[at : at + 2], words)
        self.assertIn("max,x2apic=off", qemu.Machine("k", icount=True).command())
        line = qemu.Machine("i.iso", icount=True, cpu="qemu64").command()
        for pair in (["-icount", "shift=0,sleep=off"], ["-cdrom", "i.iso"], ["-cpu", "qemu64"], ["-accel", "tcg,thread=single"]):
            self.assertIn(pair, [line[n : n + 2] for n in range(len(line))])

    def end(self, status=None, ended=None, stderr="", data=None, machine=qemu.Machine("k")):
        log = runs.judge(records.scan(synthetic.log() if data is None else data))
        left = None if ended else machine.left(status, stderr)
        return run.judge(emulator.Outcome(machine.name, status, ended, 1, left), log, 120)

    def test_how_a_run_ends(self):
        failed = synthetic.log(synthetic.lines("failed"))
        error = synthetic.log(synthetic.lines("error"))
        for expected, arguments in (
            (errors.OK, {"status": 33}),
            (errors.OK, {"status": 0}),  # powered off, rebooted
            (errors.FAILED, {"status": 35, "data": failed}),
            (errors.ERROR, {"status": 37, "data": error}),
            (errors.ERROR, {"status": 35}),  # the end record says ok
            (errors.ERROR, {"status": 33, "data": failed}),
            (errors.ERROR, {"status": 1, "data": b""}),
            (errors.ERROR, {"status": -11, "data": synthetic.log(synthetic.lines()[:5])}),
            (errors.ERROR, {"status": 0, "data": b""}),
            (errors.INCOMPLETE, {"status": 33, "data": synthetic.log(synthetic.lines()[1:])}),
            (errors.OK, {"ended": "silence"}),  # end=halt
            (errors.INCOMPLETE, {"ended": "silence", "data": synthetic.log(synthetic.lines()[:-1])}),
            (errors.INCOMPLETE, {"ended": "interrupt"}),
        ):
            self.assertEqual(self.end(**arguments)[0], expected, arguments)

    def test_how_bochs_ends(self):
        says = "(0) NMI\n=====\nBochs is exiting with the following message:\n[{}\n=====".format
        shutdown, failed = says("UNMAP ] Shutdown port: shutdown requested"), synthetic.log(synthetic.lines("failed"))
        for expected, arguments in (
            (errors.OK, {"stderr": shutdown}),
            (errors.FAILED, {"stderr": shutdown, "data": failed}),
            (errors.INCOMPLETE, {"stderr": shutdown, "data": synthetic.log(synthetic.lines()[1:])}),
            (errors.ERROR, {"stderr": shutdown, "data": b""}),
            (errors.ERROR, {"stderr": says("CPU2  ] 3rd (13) exception with no resolution")}),
            (errors.OK, {"ended": "silence"}),
        ):
            self.assertEqual(self.end(1, machine=bochs.Machine("i.iso"), **arguments)[0], expected, arguments)
        lines = self.end(1, stderr=says("CPU2  ] 3rd (13) exception"), machine=bochs.Machine("i.iso"))[1]
        self.assertEqual(lines, ["Bochs ended with status 1", "3rd (13) exception"])

    def test_bochs_options_do_what_they_say(self):
        line = "\n".join(bochs.Machine("/a b/i.iso", "broadwell_ult", 3, 99).command())
        for part in ("model=broadwell_ult, count=3,", "\nmegs: 99\n", 'path="/a b/i.iso",', "\npanic: action=fatal\n"):
            self.assertIn(part, line)

    def test_without_bochs_its_packages_are_named(self):
        self.addCleanup(setattr, bochs.shutil, "which", bochs.shutil.which)
        bochs.shutil.which = lambda name: None
        arguments = cli.parse("run", main.COMMANDS["run"], ["--emulator", "bochs"])
        with self.assertRaisesRegex(errors.Error, "Debian's packages are bochs bochs-term"):
            bochs.prepare(arguments)

    def test_qemus_own_message_is_shown(self):
        self.assertIn("-foo: invalid option", self.end(1, stderr="-foo: invalid option", data=b"")[1])


class Live(unittest.TestCase):
    def test_how_long_still(self):
        now, out = [0.0], io.StringIO()
        shown = progress.Progress(out, lambda: now[0])
        fields = [{"type": "start"}, {"type": "plan", "tests": 2, "sabotages": 0, "results": 4}]
        fields += [{"type": "test", "test": "unmap"}] * 2 + [{"type": "result", "bench": "latency"}] * 4
        came = records.scan(synthetic.log([synthetic.wire(n, f) for n, f in enumerate(fields)]))
        come = [item for item in came if isinstance(item, records.Record)]
        for item in come[:2]:
            shown.saw(item)
        now[0] = 10.0
        shown.saw(come[2])
        shown.tick()
        self.assertEqual(out.getvalue(), "10 s  tests 1/2 unmap, about 10 s left of them\n")
        now[0] = 19.0
        shown.saw(come[3])
        shown.tick()
        self.assertEqual(out.getvalue().count("\n"), 1)
        now[0] = 25.0
        shown.saw("progress 0 4 latency cpus=2\r")
        shown.saw(come[4])
        shown.tick()
        self.assertIn("25 s  results 1/4 latency cpus=2, about 18 s left of them\n", out.getvalue())
        shown.saw(come[0])  # the machine starts again
        self.assertEqual((shown.text, shown.left), ("booting", None))

    def test_other_lines_are_nothing(self):
        out = io.StringIO()
        shown = progress.Progress(out, lambda: 0.0)
        for line in ("progress", "progress x y", "in progress 1 2", ""):
            shown.saw(line)
        self.assertEqual((shown.text, shown.cell), ("waiting", ""))


class Check(unittest.TestCase):
    """The runner itself: what must not end as success."""

    def reports(self, run_step):
        return check._run(check.Step(run_step, "test", "quick"))

    def setUp(self):
        check.print = lambda *a, **k: None
        self.addCleanup(lambda: delattr(check, "print"))

    def test_a_step_that_breaks_or_tries_nothing_has_failed(self):
        def breaks(report):
            """Breaks."""
            report.ok("first")
            raise ValueError("x")

        def stops(report):
            """Stops."""
            raise errors.Error("no build")

        def nothing(report):
            """Tries nothing."""

        for step in (breaks, stops, nothing):
            self.assertEqual(len(self.reports(step).failed), 1, step.__doc__)

    def test_expect(self):
        def step(report):
            """Both."""
            report.expect("good", True)
            report.expect("bad", False, "why")
            report.skip("other", "not here")

        report = self.reports(step)
        self.assertEqual((report.passed, report.failed, report.skipped), (["good"], ["bad"], ["other"]))


if __name__ == "__main__":
    unittest.main()
