# SPDX-License-Identifier: BSD-2-Clause
"""The simulator: every scenario and guest test under every strategy that is meant to be right, and the zoo."""

import re
import subprocess
import sys
import xml.etree.ElementTree

import alarms
import build
import combinations
import errors
import exhaustive
import sim
import timeline
import zoo
from check import step


def _explore(report, todo, slices, seed, binary, proves=True):
    """
    `proves`: that no stale but legal use was seen is a failure, too. Not for slices of many strategies that are so short that
    scenarios in which such uses are rare may see none; each preset has a longer one, in sim-slice and sim-more.
    """
    for cell, status, text in sim.explore(todo, slices, seed, binary):
        vacuous = not proves and "\nvacuous: " in text and "violation" not in text
        report.expect(cell.name, status == errors.OK or vacuous, text)


def _model(report, *variables):
    """The model's own tests."""
    command = ["make", "-C", str(build.TOP), "--no-print-directory", "-j2", "sim-test", *build.STRICT, *variables]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    counts = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M)
    passed, failed = map(int, counts.groups()) if counts else (0, 1)
    report.passed += [f"model test {n}" for n in range(passed)]
    if failed or done.returncode or not passed:
        report.fail(f"model: {failed} failed, make ended with {done.returncode}", done.stdout)


@step("quick")
def sim_build(report):
    """simulator and model tests build without a warning; what must die dies in the model, what may survive survives"""
    _model(report)
    sim.make()
    report.ok("the simulator")


@step("quick")
def sim_not_yet(report):
    """the list of shared files that the simulator does not compile only shrinks"""
    command = ["make", "-s", "-C", str(build.TOP), "--no-print-directory", "sim-todo"]
    now = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    listed = {line for line in (build.TOP / "sim" / "not_yet.txt").read_text().splitlines() if not line.startswith("#")}
    report.expect("nothing new", not now - listed, f"not compiled, and not in sim/not_yet.txt: {sorted(now - listed)}")
    report.expect("nothing left over", not listed - now, f"in sim/not_yet.txt, but compiled: {sorted(listed - now)}")


EMULATED = "invlpgb+exact+batch=8"


@step("quick")
def sim_slice(report):
    """a slice of schedules of every scenario, on CPUs with tags"""
    binary = sim.make()
    _explore(report, sim.cells(binary, flags=["--pcid"]), (1500, 3), 1, binary)
    _explore(report, sim.cells(binary, EMULATED, flags=["--emulate", "--pcid"]), (1000, 2), 1, binary)
    _explore(report, sim.cells(binary, "ipi+generation", flags=["--pcid"]), (2000, 4), 1, binary)


@step("quick")
def sim_sabotages(report):
    """every guest test catches in the simulator what it has to catch there"""
    binary = sim.make()
    todo = sim.sabotages(binary)
    report.expect("some are declared", todo, "--list names no sabotage")
    for cell, status, text in sim.explore(todo, (0, 200), 1, binary):
        report.expect(cell.name, status == errors.FAILED, f"not caught in 200 schedules (exit status {status})\n{text}")


def _closed(report, chosen):
    for c in exhaustive.searches(chosen):
        report.expect(c.name, c.closed, c.text)


@step("normal")
def sim_exhaustive(report):
    """small scenarios, every schedule, on both ISAs; and the reduction changes no outcome"""
    _closed(report, exhaustive.SLICE)
    reduced, unreduced = next(exhaustive.reductions())
    report.expect("reduced or not", reduced.outcomes and reduced.outcomes == unreduced.outcomes, reduced.text + unreduced.text)


@step("all")
def sim_exhaustive_all(report):
    """the same under every strategy that is meant to be right, and two flushers; and bugs of the zoo are found so"""
    _closed(report, exhaustive.cells())
    for reduced, unreduced in exhaustive.reductions():
        same = reduced.outcomes and reduced.outcomes == unreduced.outcomes
        report.expect(f"{reduced.name}: reduced or not", same, reduced.text + unreduced.text)
    for entry, c in exhaustive.power(zoo.entries()):
        report.expect(f"{entry.id} in {entry.scenario}", c.oracle, c.text)


@step("normal")
def sim_more(report):
    """more schedules, more CPUs"""
    binary = sim.make()
    for more, flags in enumerate(([], ["--pcid", "--invpcid"])):
        _explore(report, sim.cells(binary, more=more, flags=flags), (2500, 1), 2 + more, binary)
    _explore(report, sim.cells(binary, "linux-6.18", flags=["--xapic"]), (2500, 1), 4, binary)
    for flags in (["--emulate"], ["--emulate", "--pcid", "--invpcid"]):
        _explore(report, sim.cells(binary, EMULATED, flags=flags), (1000, 1), 1, binary)
    for spec in combinations.MORE:
        _explore(report, sim.cells(binary, spec, more=1, flags=["--pcid"]), (500, 1), 5, binary, proves=False)
    for spec in combinations.ALONE:
        _explore(report, sim.cells(binary, spec, more=1, flags=["--pcid"]), (500, 1), 6, binary, proves=False)


@step("normal")
def sim_tags(report):
    """slots and global ASIDs, by interrupts and by broadcast, with filters, with tags and without"""
    binary = sim.make()
    for spec in combinations.INTERRUPTS:
        _explore(report, sim.cells(binary, spec), (500, 1), 6, binary, proves=False)
    for spec in combinations.INTERRUPTS + combinations.BROADCASTS:
        _explore(report, sim.cells(binary, spec, flags=["--pcid"]), (500, 1), 7, binary, proves=False)
    for spec in combinations.BROADCASTS:
        _explore(report, sim.cells(binary, spec, flags=["--emulate"]), (500, 1), 8, binary, proves=False)
    for flags in (["--pcid"], ["--pcid", "--invpcid"]):
        for more in (0, 1, 2):
            _explore(report, sim.cells(binary, "ipi+generation", more=more, flags=flags), (1500, 1), 9, binary, proves=False)


@step("normal")
def sim_arm64(report):
    """arm64: the model's tests, a slice of schedules of every scenario, sabotages"""
    _model(report, "SIM_ISA=arm64")
    binary = sim.make("arm64")
    _explore(report, sim.cells(binary), (500, 1), 1, binary)
    _explore(report, sim.cells(binary, "ipi+generation", flags=["--no-haf"]), (300, 1), 2, binary)
    weak = sim.cells(binary, "tlbi-is", flags=["--no-tlbirange", "--asid8", "--tlbpa"])
    _explore(report, weak, (300, 1), 2, binary, proves=False)
    _explore(report, sim.cells(binary, "broadcast+generation+ttl+ceiling=1024"), (300, 1), 2, binary, proves=False)
    _explore(report, sim.cells(binary, "ipi+ttl+ceiling=1024"), (200, 1), 3, binary)
    _explore(report, sim.cells(binary, "ipi", cpus=4, flags=["--gicv2"]), (100, 1), 2, binary)
    for cell, status, text in sim.explore(sim.sabotages(binary), (0, 200), 1, binary):
        report.expect(cell.name, status == errors.FAILED, f"not caught in 200 schedules (exit status {status})\n{text}")


@step("normal")
def sim_repeated_tlbi(report):
    """arm64: a DSB that returns too early is seen, so is a store that comes too late, and a repeated TLBI and DSB are the cure"""
    binary = sim.make("arm64")
    for knob, scenario in (("dsb-early", "kernel_unmap"), ("late-store", "zap_dirty")):
        for cure, wanted in (([], errors.FAILED), (["--repeat-tlbi"], errors.OK)):
            cell = sim.Cell(sim.Scenario(scenario, 2), "tlbi-is", 3, ["--knob", knob, *cure])
            _, status, text = cell.run((1000, 0), 1, binary)
            report.expect(cell.name, status == wanted, f"exit status {status}, not {wanted}\n{text}")


@step("normal", one_cpu=True)
def sim_rollover(report):
    """64 CPUs, 8 global ASIDs, a thousand rollovers"""
    cell = sim.Cell(sim.Scenario("test:asids_come_back", 2), "invlpgb", 64, ["--pcid"])
    _, status, text = cell.run((0, 334), 1, sim.make())
    report.expect(cell.name, status == errors.OK, text)


@step("normal")
def sim_sanitized(report):
    """the same, and the model's tests, under AddressSanitizer and UBSan"""
    _model(report, "SIM_SAN=1")
    binary = sim.make(SIM_SAN=1)
    for spec in ("linux-6.18", "invlpgb", "tlbi-local"):
        _explore(report, sim.cells(binary, spec, flags=["--pcid"]), (100, 1), 1, binary, proves=False)


# What is said of each, in one line.
BAD = {
    "unknown scenario": (["--scenario", "frob"], "frob"),
    "unknown strategy": (["--scenario", "halted", "--tlb", "frob"], "frob"),
    "too few CPUs": (["--scenario", "two_flushers", "--cpus", "2"], "3"),
    "a seed that is no number": (["--scenario", "halted", "--seed", "x"], "--seed"),
    "no schedules": (["--scenario", "halted", "--schedules", "0"], "--schedules"),
    "no replay": (["--replay", "/nonexistent"], "/nonexistent"),
    "a replay that is none": (["--replay", str(build.TOP / "README.md")], "README.md"),
    "a sabotage by mistake": (["--scenario", "halted", "--tlb", "ipi+one-short"], "one-short"),
    "unknown knob": (["--scenario", "halted", "--knob", "frob"], "invlpgb-deaf"),
    "unknown option": (["--frob"], "--frob"),
    "a guest test exhaustively": (["--scenario", "test:reclaim_zap", "--exhaustive"], "no guest test"),
}


@step("quick")
def sim_input(report):
    """what the simulator refuses"""
    binary = sim.make()
    for name, (words, wanted) in BAD.items():
        _refused(report, name, words, wanted, binary)


def _refused(report, name, words, wanted, binary):
    status, text = sim.run(*words, binary=binary)
    report.expect(name, status == errors.USAGE and text.count("\n") == 1 and wanted in text, f"status {status}\n{text}")


@step("quick")
def sim_replay(report):
    """what was found comes again, in the build that found it only"""
    binary, path = sim.make(), report.path("found.replay")
    for name, words in (("a sabotage", ["--scenario", "unmap_touch", "--tlb", "ipi+one-short+quarantine", "--sabotage"]),
                        ("a knob", ["--scenario", "kernel_unmap", "--pcid", "--knob", "invlpg-leaves-globals"])):
        status, found = sim.run(*words, "--quiet", "--write", path, binary=binary)
        if not report.expect(f"{name} found", status == errors.FAILED and "violation O-STALE" in found, found):
            return
        status, again = sim.run("--replay", path, binary=binary)
        report.expect(f"{name} again", status == errors.FAILED and again.splitlines()[0] in found, again)
    path.write_text(re.sub("^build .*", "build 1-2", path.read_text(), flags=re.M))
    _refused(report, "another build", ["--replay", path], "another build", binary)


# The words of the report, a ring and a line for each CPU, however the schedule was found.
DEADLOCKS = {
    "wrong_lock_order": [": CPU 0, which waits for CPU 1, which waits for CPU 0",
                         "CPU 0 waits for the lock of b, which CPU 1 has; has the lock of a; interrupts on",
                         "CPU 1 waits for the lock of a, which CPU 0 has; has the lock of b; interrupts on"],
    "wrong_irqs_off": [": CPU 0, which waits for CPU 1, which waits for CPU 0",
                       "CPU 0 waits for acknowledgement of a flush by CPU 1, where the call is queued; has the lock of the scene; ",
                       "CPU 1 waits for the lock of the scene, which CPU 0 has; interrupts off for the wrong scenario, since step ",
                       ", pending: for a call\n"],
}


@step("quick")
def sim_deadlock(report):
    """a deadlock is told as who waits for whom: two locks in two orders, and a call to a CPU with interrupts off"""
    binary = sim.make()
    for name, words in DEADLOCKS.items():
        for how in ([], ["--exhaustive"]):
            status, text = sim.run("--scenario", name, "--sabotage", "--quiet", *how, "--write", report.path("deadlock.replay"),
                                   binary=binary)
            missing = [word for word in ["violation I-DEADLOCK in ", *words] if word not in text]
            report.expect(" ".join([name, *how]), status == errors.FAILED and not missing, f"missing: {missing}\n{text}")


STALE = "hit on a stale entry for 0x10000000, legal still"


def _drawn(report, name, *words):
    """What the simulator finds or runs, drawn: (text, all that the SVG says)."""
    _, output = sim.run("--quiet", "--events", *words, binary=sim.make())
    if not report.expect(f"{name}: events", "events of " in output, output):
        return "", ""
    text, picture = (timeline.write(report.path(f"timeline{suffix}"), output) and report.path(f"timeline{suffix}").read_text()
                     for suffix in timeline.SUFFIXES)
    said = [element.text for element in xml.etree.ElementTree.fromstring(picture).iter() if element.tag.endswith("}text")]
    return text, "\n".join(said[1:])


@step("quick")
def sim_timeline(report):
    """a shootdown is drawn whole and in order, as text and as SVG; a failure and its replay alike"""
    found = report.path("drawn.replay")
    shootdown = ["change of ", "takes 0x10000000 away", "flush of 0x10000000-0x10001000 begins", "interrupts CPU 1",
                 "takes the interrupt", "TLB loses 1 translation", "acknowledges to CPU 0", "frees frame ",
                 "flush of 0x10000000-0x10001000 done"]
    failure = ["takes 0x10000000 away", "flush of 0x10000000-0x10001000 done", "O-STALE"]
    text, picture = _drawn(report, "a shootdown", "--scenario", "unmap_touch", "--schedules", "2000")
    for words, how in ((text, "text"), (picture, "SVG")):
        places = [words.find(word) for word in shootdown]
        whole = -1 not in places and places == sorted(places) and STALE in words
        report.expect(f"a shootdown as {how}", whole, f"{places}\n{words}")
    text, picture = _drawn(report, "a failure", "--scenario", "unmap_touch", "--tlb", "none", "--write", found)
    for words, how in ((text, "text"), (picture, "SVG")):
        places = [words.find(word) for word in failure]
        report.expect(f"a failure as {how}", -1 not in places and places == sorted(places), f"{places}\n{words}")
    report.expect("its replay is drawn the same", text and _drawn(report, "a replay", "--replay", found) == (text, picture), text)


@step("quick")
def zoo_whole(report):
    """each id of the zoo's catalogue has an entry or is listed with what it waits for, and docs/zoo.md says so"""
    ids, listed, _ = zoo.catalogue()
    known = {zoo.kind(entry) for entry in zoo.entries()}
    for name in ids:
        report.expect(name, (name in known) != (name in listed), "both" if name in known else "neither")
    report.expect("nothing else is listed", not set(listed) - set(ids), str(set(listed) - set(ids)))
    text = zoo.DOCS.read_text(encoding="utf-8")
    report.expect("docs/zoo.md", text.endswith(zoo.foot()) and zoo.written().keys() == {e.name for e in zoo.entries()},
                  "./tlblab zoo --write")


@step("quick")
def zoo_oracles(report):
    """each oracle of the simulator is needed by an entry of the zoo that nothing else notices, or it is said why by none"""
    _, text = sim.run("--scenario", "halted", "--without", "frob", binary=sim.make())
    found = re.search(r"no oracle; there are (.*)$", text, re.M)
    names = found[1].split() if found else []
    alone, (_, _, together) = zoo.alone(), zoo.catalogue()
    report.expect("there are some", names, text)
    for name in names:
        report.expect(name, (name in alone) != (name in together), "both" if name in alone else "neither")


def _zoo(report, seeds, chosen=None):
    for verdict in zoo.verdicts(seeds, chosen):
        report.expect(verdict.entry.id, not verdict.wrong, "\n".join(verdict.wrong))


ON_ARM64 = ("E6", "E9", "E26")  # no DSB before TLBI, no break before make, DSB on another CPU; zoo_thrice has them all


@step("normal")
def zoo_once(report):
    """every bug of the zoo on x86_64, and three on arm64, is caught by its oracle, and by that only"""
    _zoo(report, 1, [entry for entry in zoo.entries() if entry.arch == "x86_64" or entry.name in ON_ARM64])


@step("all")
def zoo_thrice(report):
    """the same with three seeds, and those on arm64"""
    _zoo(report, 3)


@step("all")
def zoo_seeds(report):
    """the same with more seeds"""
    _zoo(report, zoo.SEEDS)


@step("all")
def sim_alarms(report):
    """a million schedules of each strategy that is right, 100 times what the zoo's bugs need in each scenario: no oracle speaks"""
    done = []
    for row in alarms.rows():
        done.append(row)
        print(f"    {row.text}", flush=True)
        report.expect(row.strategy, not row.alarms, "\n".join(f"{name}\n{text}" for name, text in row.alarms))
    for name, bug, needed, clean in alarms.power(done):
        report.expect(f"power in {name}", clean >= alarms.POWER * needed, f"{bug} needs {needed}, clean were {clean}")


def _mutants(report, isa):
    command = [sys.executable, str(build.TOP / "sim" / "test" / "mutants.py"), isa]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    report.expect("broken models", done.returncode == 0, done.stdout)


@step("all")
def model_mutants(report):
    """the model's tests notice every way in which the model is broken on purpose"""
    _mutants(report, "x86")


@step("all")
def model_mutants_arm64(report):
    """the same of arm64's"""
    _mutants(report, "arm64")
