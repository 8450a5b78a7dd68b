"""The command line as it was given, for the records beside what a command makes."""

from __future__ import annotations

import shlex
import sys


def command_line() -> str:
    """Return the command line, with the program's name but not its folder."""
    return shlex.join(["pedkit", *sys.argv[1:]])
