"""Prefect's server is killed at random moments: the run ends with a line, and is resumed."""

from __future__ import annotations

import json
import os
import secrets
import signal
import time

import pytest

from tests.support.faults.disturbed import (
    EVERYTHING,
    DisturbedProject,
    ended,
    retrain,
)

pytestmark = [
    pytest.mark.services,
    pytest.mark.long,
    pytest.mark.skipif(not EVERYTHING, reason="with `make faults`"),
]

TIMES = 5
LONGEST = 3.0


def test_the_server_is_killed(project, undisturbed):
    for number in range(TIMES):
        name = f"lost{number}"
        process = project.start(*retrain(project.source(name)))
        project.wait_for_a_fit(process)
        time.sleep(LONGEST * secrets.randbelow(1000) / 1000)
        kill_server(project)
        stopped = ended(process)
        if stopped.code == 0:  # all was done by then
            assert project.learnt(stopped) == undisturbed
            continue
        assert stopped.code == 1
        assert len(stopped.said) == 1, stopped.said
        assert "the Prefect server has ended" in stopped.said[0]
        project.goes_on(name, undisturbed)


def kill_server(project: DisturbedProject) -> None:
    record = json.loads((project.home / ".smoothrank" / "prefect.json").read_text())
    os.killpg(record["pid"], signal.SIGKILL)
