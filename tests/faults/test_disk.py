"""A disk fills up, or a folder becomes read-only, in the middle of a run."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.faults.disturbed import (
    EVERYTHING,
    SECONDS,
    DisturbedProject,
    disturbed_project,
    ended,
    retrain,
)
from tests.support.running import wait_until

pytestmark = [pytest.mark.services, pytest.mark.long]

SECONDS_TO_STOP = 10.0


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Iterator[DisturbedProject]:
    """A project on a small disk of its own."""
    folder = tmp_path_factory.mktemp("disk")
    (folder / "home").mkdir()
    if not mounted("-t", "tmpfs", "-o", "size=300m", "tmpfs", str(folder / "home")):
        pytest.skip("only root may mount a disk for this test")
    try:
        with disturbed_project(folder) as one:
            yield one
    finally:
        subprocess.run(["umount", "--lazy", str(folder / "home")], check=True)


def mounted(*arguments: str) -> bool:
    return subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode == 0


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Take all the room that there is."""
    filler = disk / "filler"
    with filler.open("wb") as file:
        try:
            while True:
                file.write(bytes(2**16))
                file.flush()
        except OSError:
            pass
    yield
    filler.unlink()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Refuse new files in a folder; what is open stays open, as after `chmod`."""
    assert mounted("--bind", str(folder), str(folder))
    assert mounted("-o", "remount,ro,bind", str(folder))
    yield
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_fills_up(project, undisturbed):
    process = project.start(*retrain(project.source("full")))
    project.wait_for_a_fit(process)
    with full(project.home):
        since = time.monotonic()
        stopped = ended(process)
        seconds = time.monotonic() - since
    assert "make room" in stopped.refusal
    assert "the same command" in stopped.refusal
    assert seconds < SECONDS_TO_STOP
    assert project.aliases("full") == {}
    project.goes_on("full", undisturbed)


@pytest.mark.skipif(not EVERYTHING, reason="with `make faults`")
@pytest.mark.parametrize("folder", [".smoothrank", "mlruns"])
def test_a_folder_that_becomes_read_only(project, undisturbed, folder):
    name = f"readonly{folder.strip('.')}"
    process = project.start(*retrain(project.source(name)))
    project.wait_for_a_fit(process)
    with read_only(project.home / folder):
        since = time.monotonic()
        stopped = ended(process)
        seconds = time.monotonic() - since
    assert str(project.home / folder) in stopped.refusal
    assert "make it writable" in stopped.refusal
    assert seconds < SECONDS_TO_STOP
    assert project.aliases(name) == {}
    project.goes_on(name, undisturbed)


@pytest.mark.skipif(not EVERYTHING, reason="with `make faults`")
def test_a_benchmark_on_a_disk_that_fills_up(project):
    asked = ("benchmark", "--datasets", "zoo-3", "--methods", "l1,ranking-svm", "--jobs", "1")
    process = project.start(*asked, "--output", "disturbed.csv", "--stable")

    def is_at_work() -> bool:
        assert process.poll() is None, process.communicate()
        return bool(project.open_attempts())

    wait_until(is_at_work, SECONDS, otherwise=project.open_attempts)
    with full(project.home):
        stopped = ended(process)
    assert "make room" in stopped.refusal
    assert project.run(*asked, "--output", "disturbed.csv", "--stable").code == 0
    project.nothing_is_left()
    assert project.run(*asked, "--output", "again.csv", "--stable").code == 0
    written = [(project.home / name).read_text() for name in ("disturbed.csv", "again.csv")]
    assert written[0] == written[1]
    assert len(written[0].splitlines()) == 3
