# SPDX-License-Identifier: BSD-2-Clause
"""
The guest's tests as KTAP version 1: one line per test and strategy, one per test and sabotage that it has to notice, and the last,
`run`, for the run as a whole: a log with holes must not look like success.
"""

import errors
import results


def _line(good, number, name, detail="", skip=False):
    # A "#" begins a directive or a comment there.
    text = f"{'ok' if good else 'not ok'} {number} {name}"
    detail = " ".join(detail.replace("#", "_").split())
    return text + (f" # SKIP {detail}" if skip else f" # {detail}" if detail else "")


def _test(number, r):
    result, name = r.get("result"), f"{r.get('test')} under {r.get('strategy')}"
    return _line(result in ("ok", "skip"), number, name, r.get("detail", ""), result == "skip")


def _sabotage(number, r):
    result = r.get("result")
    detail = f"{r.get('caught')} of {r.get('rounds')} rounds"
    if result == "unproven":
        return _line(True, number, f"{r.get('test')} sees {r.get('sabotage')}", "not visible on this machine", True)
    return _line(result == "caught", number, f"{r.get('test')} sees {r.get('sabotage')}", detail)


def lines(log, status=None):
    """The KTAP lines of a Log; `status`: how the run ended, if not as its records alone say."""
    status = results.status(log) if status is None else status
    tests = [r for r in log.records if r.type in ("test", "sabotage")]
    out = ["KTAP version 1", f"1..{len(tests) + 1}"]
    for number, r in enumerate(tests, 1):
        out.append(_sabotage(number, r) if r.type == "sabotage" else _test(number, r))
    out += [f"# {problem}" for problem in results.messages(log) + log.problems]
    out.append(_line(status == errors.OK, len(tests) + 1, "run", f"verdict {log.verdict or 'none'}, {len(log.records)} records"))
    return out
