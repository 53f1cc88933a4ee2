"""The record of finished fits, damaged."""

import json

import pytest

from tasks.problem.problem import make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params
from tasks.steps.train import train
from tasks.workers.fit_notes import fits_folder

PARAMS = {"selection": {"folds": 2, "repeats": 1, "scales": ["standard"]}}
SOUND = json.dumps({"scale": "standard", "fold": 0})[:-1]


@pytest.fixture
def problem(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    source = fetch_source("glass-0-4_vs_5")
    return make_problem(source, "smooth", "honest", Params.model_validate(PARAMS))


def fit(**changed):
    sound = {
        "auc_by_iteration": [0.5],
        "n_prototypes": 1,
        "gap": 0.0,
        "prototypes": [[1.0]],
        "weights": [1.0],
        "seconds": 0.1,
    }
    return json.dumps({"scale": "standard", "fold": 0, "fit": sound | changed})


DAMAGED = [
    "nothing",
    "{}",
    "[]",
    "7",
    SOUND + "}",
    SOUND + ', "fit": {}}',
    SOUND + ', "fit": [1, 2]}',
    fit(auc_by_iteration=[]),
    fit(auc_by_iteration=["high"]),
    fit(auc_by_iteration=[7.5]),
    fit(seconds=None),
    fit(weights="many"),
    "\x00\x00\x00",
]


@pytest.mark.parametrize("line", DAMAGED)
def test_a_damaged_line_is_set_aside_and_its_fit_made_anew(problem, line):
    whole = train(problem, 0.001)
    path = fits_folder(problem) / "0.001.jsonl"
    first, second = path.read_text().splitlines(keepends=True)
    path.write_text(f"{line}\n{second}")
    again = train(problem, 0.001)
    found = [[one.auc_by_iteration for one in each.fits["standard"]] for each in (whole, again)]
    assert found[0] == found[1]
    assert path.with_suffix(".damaged").read_text() == f"{line}\n{second}"
    kept = [json.loads(line)["fold"] for line in path.read_text().splitlines()]
    assert kept == [1, 0]
    assert json.loads(first)["fold"] == 0


def test_bytes_that_are_no_text_are_set_aside(problem):
    train(problem, 0.001)
    path = fits_folder(problem) / "0.001.jsonl"
    path.write_bytes(b"\xff\xfe\n")
    assert len(train(problem, 0.001).fits["standard"]) == 2
    assert path.with_suffix(".damaged").read_bytes() == b"\xff\xfe\n"
