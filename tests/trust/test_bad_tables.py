"""Bad files and frames through `validate`, `retrain` up to training, and `predict`.

A sample of them is run with the other tests; `make bad-input` runs all.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from datetime import date, timedelta
from decimal import Decimal

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smoothrank.persistence.model_file import save_model
from tests.conftest import use_project
from tests.support.trust.bad_tables import bad_files, bad_frame_file
from tests.support.trust.commands import answers
from tests.support.trust.scoring import model_of_buyers

ALL = os.environ.get("SMOOTHRANK_BAD_INPUT") == "all"
FILES, FRAMES = 300, 200
EVERY = 1 if ALL else 12
MEDIAN_SECONDS = 2.0


@pytest.fixture(scope="module")
def model():
    return model_of_buyers()


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        yield use_project(patch, tmp_path_factory.mktemp("home"))


def test_there_are_enough_of_them(tmp_path):
    assert sum(1 for _ in bad_files(tmp_path)) >= FILES


@pytest.mark.filterwarnings("ignore")
def test_every_bad_file_is_refused_in_words(model, tmp_path):
    faults, seconds = {}, []
    for number, path in enumerate(bad_files(tmp_path)):
        if number % EVERY:
            continue
        found = answers(path, model)
        seconds += [one.seconds for one in found]
        for one in found:
            if one.fault:
                faults[f"{path.parent.name}/{path.name} {one.command}"] = one.fault
        checked, trained, _ = found
        if checked.taken and not trained.taken and "too few" not in trained.said:
            faults[f"{path.parent.name}/{path.name}"] = f"validate takes it, but: {trained.said}"
    assert faults == {}
    assert statistics.median(seconds) < MEDIAN_SECONDS
    print(f"{len(seconds) // 3} files, median {statistics.median(seconds):.3f} s")


ODD = [
    *(None, float("nan"), float("inf"), -1e308, 5e-324, 2**63, 2**64, -(2**70), True, "", " "),
    *("=1+1", "1,5", "1.5.2", "\x00", "\ud800", "é" * 300, b"\xff\x00", [1], {"a": 1}, (1, 2)),
    *(Decimal("1e400"), Decimal("NaN"), date(1, 1, 1), date(9999, 12, 31), timedelta(days=1)),
    *(pd.NaT, pd.Timestamp("2262-04-11"), complex(1, 2), "1e999", "-", "?", "NaN", 0, 1, 1.5),
]
cells = st.sampled_from(ODD) | st.floats() | st.integers() | st.text(max_size=5)
names = st.sampled_from(["age", "city", "income", "buys", "", " ", "x"]) | st.text(max_size=4)


@st.composite
def frames(draw):
    """Draw a table of a few columns, each of odd cells or of one kind of them."""
    rows = draw(st.integers(0, 12))
    columns = draw(st.lists(names, max_size=5, unique=draw(st.booleans())))
    made = [
        pd.Series(
            draw(st.lists(draw(st.sampled_from([cells, st.sampled_from(ODD[:3])])),
                          min_size=rows, max_size=rows)),
            dtype=object,
        )
        for _ in columns
    ]  # fmt: skip
    frame = pd.concat(made, axis="columns") if made else pd.DataFrame(index=range(rows))
    return frame.set_axis(columns, axis="columns") if made else frame


@pytest.mark.filterwarnings("ignore")
def test_every_bad_frame_is_refused_in_words(model, tmp_path_factory):
    folder, count = tmp_path_factory.mktemp("frames"), iter(range(10**9))
    seconds: list[float] = []

    @given(frames())
    @settings(
        max_examples=FRAMES if ALL else 10,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def check(frame):
        path = bad_frame_file(folder, frame, next(count))
        found = answers(path, model)
        seconds.extend(one.seconds for one in found)
        assert [one.fault for one in found if one.fault] == []

    check()
    assert statistics.median(seconds) < MEDIAN_SECONDS
    print(f"{len(seconds) // 3} frames, median {statistics.median(seconds):.3f} s")


@pytest.mark.parametrize("number", [0, 40, 160] if ALL else [40])
def test_the_command_itself_says_it_in_two_lines(model, tmp_path, number):
    saved = save_model(model, tmp_path / "model")
    path = next(one for place, one in enumerate(bad_files(tmp_path / "bad")) if place == number)
    out = tmp_path / "out.csv"
    command = [sys.executable, "-m", "flows.commands.cli", "predict", str(saved), str(path)]
    done = subprocess.run([*command, "-o", str(out)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("smoothrank: ")
    assert len(done.stderr.splitlines()) <= 2
    assert not out.exists()
