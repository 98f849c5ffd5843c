# SPDX-License-Identifier: BSD-2-Clause
"""Importing this makes tools/ importable; helpers of several tests."""

import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "tools"), str(TOP / "tests" / "host")]


def tlblab(*arguments, stdin=b""):
    """tools/main.py as a process: (status, stdout, stderr)."""
    command = [sys.executable, str(TOP / "tools" / "main.py"), *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()
