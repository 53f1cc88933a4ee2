"""What tests share: a data folder filled without the internet, and projects with servers."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.checkout.repository import ROOT

MIRROR = ROOT.parent / "shared" / "uci"

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
SHARED_PROJECT = "SMOOTHRANK_TEST_PROJECT"


def pytest_configure():
    """Name one project for all test processes; its servers start when a test needs them.

    Tests keep a list of servers of their own, and never see those of the user who runs them.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ[SHARED_PROJECT] = tempfile.mkdtemp(prefix="smoothrank-tests-")
        os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="smoothrank-tests-state-")


def pytest_collection_modifyitems(items):
    """Begin with the long tests, so that no process is left with one at the end.

    Warnings are errors, but not with servers: their clients leave sockets and event loops behind.
    """
    for item in items:
        if item.get_closest_marker("services") is not None:
            item.add_marker(pytest.mark.filterwarnings("default"))
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_unconfigure():
    """Stop the servers of the shared project, and remove it."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    with pytest.MonkeyPatch.context() as patch:
        use_project(patch, Path(os.environ[SHARED_PROJECT]))
        _remove_project(Path(os.environ[SHARED_PROJECT]))
    shutil.rmtree(os.environ["XDG_STATE_HOME"], ignore_errors=True)


def use_project(patch: pytest.MonkeyPatch, home: Path) -> Path:
    """Make a folder the project, and forget any server that this process used before."""
    patch.setenv("SMOOTHRANK_HOME", str(home))
    for name in ("PREFECT_API_URL", "PREFECT_HOME", "MLFLOW_TRACKING_URI"):
        patch.setenv(name, "")
        patch.delenv(name)
    return home


def _remove_project(home: Path) -> None:
    from flows.servers.project_servers import stop_servers

    stop_servers()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Yield a new project folder; what the test starts in it is stopped."""
    from flows.servers.project_servers import stop_servers

    home = tmp_path / "my project"
    home.mkdir()
    use_project(monkeypatch, home)
    yield home
    monkeypatch.setenv("SMOOTHRANK_HOME", str(home))
    stop_servers()


@pytest.fixture
def shared_project(monkeypatch):
    """Yield a project whose servers are shared by all tests that do not stop them."""
    return use_project(monkeypatch, Path(os.environ[SHARED_PROJECT]))


@pytest.fixture(scope="session", autouse=True)
def data_folder(tmp_path_factory):
    """Use a copy of the fetched files; what is not fetched yet comes from package or mirror."""
    from smoothrank.datasets.catalogue.catalogue import catalogue
    from smoothrank.datasets.catalogue.fetch import file_state

    folder = tmp_path_factory.mktemp("data")
    for known in catalogue().values():
        if file_state(known.name, ROOT / "data") == "ok":
            shutil.copy(ROOT / "data" / known.file, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMOOTHRANK_DATA", str(folder))
        if MIRROR.is_dir() and not os.environ.get("SMOOTHRANK_DATA_MIRROR"):
            patch.setenv("SMOOTHRANK_DATA_MIRROR", str(MIRROR))
        yield folder


@pytest.fixture(scope="session")
def load_or_skip():
    """Load a data set, or skip the test with the reason why it is not here."""
    from smoothrank.datasets import load_dataset
    from smoothrank.datasets.errors import MissingDataError

    def load(name: str):
        try:
            return load_dataset(name)
        except MissingDataError as error:
            pytest.skip(str(error))

    return load
