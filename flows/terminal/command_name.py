"""How the user calls this program, for lines that are to be typed again."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def command_name() -> str:
    """Return `smoothrank`, or the path that was typed if the shell does not find that name."""
    called = sys.argv[0]
    if Path(called).name != "smoothrank" or shutil.which("smoothrank"):
        return "smoothrank"
    return called


def same_command() -> str:
    """Return the command that was given, as it is typed."""
    return shlex.join([command_name(), *sys.argv[1:]])
