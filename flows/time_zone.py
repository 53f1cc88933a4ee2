"""The time zone of this machine."""

from __future__ import annotations

import os
from zoneinfo import ZoneInfo


def local_time_zone() -> str:
    """Return the name of the machine's time zone, so that a cron time is the one on the clock."""
    named = os.environ.get("TZ", "").removeprefix(":") or os.path.realpath("/etc/localtime")
    name = named.rpartition("zoneinfo/")[2]
    try:
        return ZoneInfo(name).key
    except (ValueError, OSError, KeyError):
        return "UTC"
