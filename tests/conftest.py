"""Data for the tests: a folder of their own, filled without the internet."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MIRROR = ROOT.parent / "shared" / "uci"


@pytest.fixture(scope="session", autouse=True)
def data_folder(tmp_path_factory):
    """Use a copy of the fetched files; what is not fetched yet comes from package or mirror."""
    folder = tmp_path_factory.mktemp("data")
    for path in (ROOT / "data").glob("*.dat"):
        shutil.copy(path, folder)
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
