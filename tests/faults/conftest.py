"""What the tests of faults begin with: a project of their own, and a run that nobody disturbs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.faults.disturbed import DisturbedProject, disturbed_project, retrain


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Iterator[DisturbedProject]:
    """A project with servers and an environment of its own."""
    with disturbed_project(tmp_path_factory.mktemp("faults")) as one:
        yield one


@pytest.fixture(scope="module")
def undisturbed(project):
    """What a run learns that is not disturbed."""
    return project.learnt(project.run(*retrain(project.source("whole"))))
