# SPDX-License-Identifier: BSD-2-Clause
"""
`./tlblab zoo --patch FILE --scenario NAME`: a bug of one's own. A unified diff is applied to a copy of the tree, build/zoo/patch/,
and the scenario runs there under one strategy or all that are sound, with all oracles, on CPUs without tags, with tags, and with
INVPCID.
"""

import pathlib
import re

import errors
import patch
import sim
import zoo

FLAGS = ([], ["--pcid"], ["--pcid", "--invpcid"])
SCHEDULES = 20000  # of each strategy and kind of CPU
COPY = zoo.COPIES / "patch"


def build_copy(path):
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise errors.usage(f"zoo: --patch {path}: {wrong.strerror if isinstance(wrong, OSError) else 'is no text'}")
    return zoo.build_tree(COPY, lambda: patch.apply(text, COPY, f"zoo: --patch {path}"), f"zoo: --patch {path}")


def cells(arguments, binary):
    """Under each strategy that a kind of CPU can do."""
    for flags in FLAGS:
        scenarios, sound = sim.catalogue(binary, flags)
        known = {s.name: s for s in scenarios}
        if arguments.scenario not in known:
            raise errors.usage(f"zoo: --scenario {arguments.scenario}: unknown; accepted are {', '.join(known)}")
        scenario = known[arguments.scenario]
        for strategy in [arguments.tlb] if arguments.tlb else sound:
            yield sim.Cell(scenario, strategy, max(2, scenario.min_cpus), flags)


def caught(cell, text, binary, explored):
    found = re.search(r"^violation (\S+) in .*, schedule (\d+)$", text, re.M)
    message = re.search(rf"^{re.escape(found[1])}: (.*)$", text, re.M)
    replay = re.search(r"^replay: \./tlblab sim (.*)$", text, re.M)
    print(f"caught by {found[1]}, {cell.name}, schedule {int(found[2]) + 1} (after {explored} that found nothing)")
    if message:
        print(f"    {message[1]}")
    if replay:
        print(f"    replay: {binary} {replay[1]}")


def try_patch(arguments):
    if not arguments.scenario:
        raise errors.usage("zoo: --patch needs --scenario NAME (./tlblab sim --list names them)")
    path = pathlib.Path(arguments.patch)
    sim.make()
    binary = build_copy(path)
    explored, vacuous, todo = 0, [], list(cells(arguments, binary))
    slices = (SCHEDULES, max(1, SCHEDULES // 250))
    for cell in todo:
        _, status, text = cell.run(slices, 1, binary)
        if "\nviolation " in "\n" + text:
            caught(cell, text, binary, explored)
            return errors.OK
        if status == errors.USAGE:
            raise errors.usage(text.strip().removeprefix("tlblab "))
        if "vacuous: " in text:
            vacuous.append(cell.name)
        elif status != errors.OK:
            raise errors.Error(f"zoo: the simulator ended with status {status} in {cell.name}", details=text)
        explored += slices[cell.scenario.is_test]
    strategies = len({cell.strategy for cell in todo})
    print(f"not caught: {explored} schedules of {arguments.scenario} under {strategies} strategies, on CPUs without tags, "
          "with tags, and with INVPCID")
    print(*(f"    proves nothing (no stale but legal use): {name}" for name in vacuous), sep="\n", end="\n" if vacuous else "")
    return errors.FAILED
