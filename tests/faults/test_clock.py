"""The clock is set back: later runs are at work before earlier ones, by their own records."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.faults.disturbed import (
    EVERYTHING,
    kill,
    retrain,
    rows,
)

pytestmark = [pytest.mark.services, pytest.mark.long]

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
needs_faketime = pytest.mark.skipif(
    not LIBRARIES and not os.environ.get("CI"), reason="libfaketime of Debian is not installed"
)
STARTED = "SELECT start_time FROM runs ORDER BY start_time"


def set_back(days: int) -> dict[str, str]:
    """The environment of a process whose clock is behind; durations stay as they are."""
    return {
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME": f"-{days}d",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }


@needs_faketime
def test_a_run_and_a_rollback_before_the_records_of_earlier_ones(project, undisturbed):
    again = project.run(*retrain(project.source("whole")), more=set_back(30))
    assert project.learnt(again) == undisturbed
    assert again.outcome["model_version"] == 2
    assert len({started // 86_400_000 for (started,) in rows(project.mlflow, STARTED)}) > 1
    project.nothing_is_left()

    back = project.run("rollback", "whole", "--json", more=set_back(60)).outcome
    assert back["champion_history"] == [1]
    assert project.aliases("whole")["champion"] == 1
    assert "no earlier champion" in project.run("rollback", "whole").refusal


@needs_faketime
@pytest.mark.skipif(not EVERYTHING, reason="with `make faults`")
def test_a_killed_run_is_resumed_a_week_earlier(project, undisturbed):
    process = project.start(*retrain(project.source("killed")))
    project.wait_for_a_fit(process)
    kill(process)
    project.environment |= set_back(7)
    project.goes_on("killed", undisturbed)
