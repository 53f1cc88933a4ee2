"""params.yaml: what it may hold, and how a wrong key is named."""

import pytest
from pydantic import ValidationError

from tasks.project.config import ConfigError, Params, load_params
from tests.support.checkout.repository import ROOT


def test_the_project_s_file_holds_the_defaults():
    assert load_params(ROOT) == Params()
    assert (ROOT / "params.yaml").is_file()


def test_without_a_file_the_defaults_hold(tmp_path):
    assert load_params(tmp_path) == Params()


def test_an_empty_file_is_fine(tmp_path):
    (tmp_path / "params.yaml").write_text("# nothing\n")
    assert load_params(tmp_path) == Params()


def test_values_are_read(tmp_path):
    (tmp_path / "params.yaml").write_text("selection: {folds: 4, grids: {smooth: [1e-3, 2]}}\n")
    found = load_params(tmp_path).selection
    assert (found.folds, found.grids) == (4, {"smooth": (1e-3, 2.0)})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selection: {fold: 4}", "unknown key selection.fold; known here are folds, repeats"),
        ("gates: {}", "unknown key gates; known here are split, selection, training, gate"),
        ("split: {test_share: 1.5}", "split.test_share is 1.5"),
        ("selection: {folds: many}", "selection.folds is 'many'"),
        ("selection: {scales: [robust]}", "selection.scales.0 is 'robust'"),
        ("selection: {grids: {smooth: []}}", "selection.grids.smooth is []"),
        ("training: {solver: cplex}", "it is not one of auto, gurobi, highs"),
        ("- 1", "the file is [1]"),
        ("a: [", "is not YAML"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(tmp_path, text, message):
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(ConfigError) as error:
        load_params(tmp_path)
    assert message in str(error.value)
    assert str(tmp_path / "params.yaml") in str(error.value)
    assert "\n" not in str(error.value)


def test_the_usual_method_is_the_small_one(tmp_path):
    assert load_params(tmp_path).training.method == "smoothrank-small"
    (tmp_path / "params.yaml").write_text("training: {method: l1}\n")
    assert load_params(tmp_path).training.method == "l1"


def test_the_configuration_is_frozen():
    with pytest.raises(ValidationError):
        Params().split.seed = 3
