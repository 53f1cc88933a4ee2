"""`kill -9` at random moments of a retraining: the result stays the same.

One kill is made with the other tests; `make faults` makes fifty.
"""

from __future__ import annotations

import pytest

from tests.support.faults.disturbed import EVERYTHING, DisturbedProject, disturbed_project, retrain
from tests.support.faults.kills import Killer

pytestmark = [pytest.mark.services, pytest.mark.long]

NEW_PROJECT_EVERY = 8
"""One project in so many is new: its servers and databases are made while it is killed."""


def test_a_killed_retraining_ends_as_if_nothing_had_happened(tmp_path):
    killer = Killer()
    with disturbed_project(tmp_path) as main:
        if EVERYTHING:
            main.run(*retrain(main.source("first")))  # starts the servers, which is not timed
        undisturbed = main.learnt(killer.timed(main, *retrain(main.source("whole"))))

        def disturb(project: DisturbedProject, name: str) -> None:
            ended_before: list[int] = []  # versions of runs that were over when they were killed

            def no_other_champion() -> None:
                champion = project.aliases(name).get("champion")
                if champion is not None:
                    assert project.model_checksum(name, champion) == undisturbed.model
                    if not project.open_attempts() and champion not in ended_before:
                        ended_before.append(champion)

            asked = retrain(project.source(name))
            found = project.learnt(killer.disturbed(project, asked, no_other_champion))
            assert found == undisturbed
            assert project.versions(name) == [*ended_before, len(ended_before) + 1]
            assert project.mlflow_runs(name) == ["FINISHED"] * 3 * len(project.versions(name))
            project.nothing_is_left()

        for number in killer.rounds_left():
            if number % NEW_PROJECT_EVERY == NEW_PROJECT_EVERY - 1:
                with disturbed_project(tmp_path, f"new{number}") as new:
                    disturb(new, "rare")
            else:
                disturb(main, f"rare{number}")
    print(f"retrain: {killer}; all as undisturbed")
