# SPDX-License-Identifier: BSD-2-Clause
"""How ./tlblab ends: exit statuses, and errors that are one line for the user."""

OK = 0
FAILED = 1  # a test failed
USAGE = 2  # bad command line, missing packages
ERROR = 3  # the kernel's verdict is "error", or the emulator or a build failed
INCOMPLETE = 4  # records are missing or damaged, or the run did not end


def worst(*statuses):
    """Of several runs: an error says most, then what is missing, then a failed test."""
    order = (OK, FAILED, INCOMPLETE, ERROR, USAGE)
    return max(statuses, key=order.index)


class Error(Exception):
    """Ends the command: one line on stderr, and `status`. `details` go before it: what a failed tool printed."""

    def __init__(self, message, status=ERROR, details=""):
        super().__init__(message)
        self.status, self.details = status, details


def usage(message):
    return Error(message, USAGE)
