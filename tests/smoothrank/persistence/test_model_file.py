import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from smoothrank import (
    L1Ranking,
    LInfRanking,
    RankBoost,
    RankingCGPrototype,
    RankingSVM,
    RankNet,
    SmoothRankingPrototype,
    load_model,
)
from smoothrank.persistence.model_file import ARRAYS_FILE, MODEL_FILE, ModelFileError, save_model


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((60, 3)), columns=["a", "b", "c"])
    return X, np.where(X["a"] + X["b"] ** 2 > 1.2, "rare", "common")


@pytest.fixture(scope="module")
def saved(data, tmp_path_factory):
    X, y = data
    model = SmoothRankingPrototype(solver="highs", scale="quantile", max_prototypes=3).fit(X, y)
    return model, save_model(model, tmp_path_factory.mktemp("models") / "model")


@pytest.mark.parametrize("scale", [None, "standard", "quantile"])
@pytest.mark.parametrize("labels", ["text", "bool", "int", "object"])
def test_a_loaded_model_is_the_same_bit_by_bit(data, tmp_path, scale, labels):
    X, y = data
    y = {"text": y.astype(str), "bool": y == "rare", "int": np.where(y == "rare", 7, 3),
         "object": y.astype(object)}[labels]  # fmt: skip
    model = SmoothRankingPrototype(solver="highs", scale=scale, max_prototypes=2).fit(X, y)
    other = load_model(save_model(model, tmp_path / "model"))
    assert np.array_equal(other.decision_function(X), model.decision_function(X))
    assert np.array_equal(other.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(other.predict(X), model.predict(X))
    assert other.classes_.dtype == model.classes_.dtype
    assert other.get_params() == model.get_params()
    assert other.history_ == model.history_
    assert list(other.feature_names_in_) == ["a", "b", "c"]
    staged = zip(other.staged_decision_function(X), model.staged_decision_function(X), strict=True)
    assert all(np.array_equal(one, two) for one, two in staged)


def test_ranking_cg_is_saved_too(data, tmp_path):
    X, y = data
    model = RankingCGPrototype(solver="highs", max_prototypes=2).fit(X.to_numpy(), y)
    other = load_model(save_model(model, tmp_path / "model"))
    assert isinstance(other, RankingCGPrototype)
    assert np.array_equal(
        other.decision_function(X.to_numpy()), model.decision_function(X.to_numpy())
    )


@pytest.mark.parametrize("scale", [None, "standard", "quantile"])
@pytest.mark.parametrize("estimator", [L1Ranking, LInfRanking, RankingSVM])
def test_a_loaded_norm_is_the_same_bit_by_bit(data, tmp_path, estimator, scale):
    X, y = data
    model = estimator(2.0, scale=scale).fit(X, y)
    other = load_model(save_model(model, tmp_path / "model"))
    assert type(other) is estimator
    assert np.array_equal(other.decision_function(X), model.decision_function(X))
    assert np.array_equal(other.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(other.predict(X), model.predict(X))
    assert np.array_equal(other.weights_, model.weights_)
    assert np.array_equal(other.reference_rows_, model.reference_rows_)
    assert other.get_params() == model.get_params()
    assert other.history_ == model.history_
    assert list(other.feature_names_in_) == ["a", "b", "c"]
    for name in ("gap_", "objective_", "n_features_used_"):
        assert getattr(other, name) == getattr(model, name)
    again = load_model(save_model(other, tmp_path / "again"))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("model", [RankBoost(7), RankNet(0.01, n_hidden=3, n_steps=30)])
def test_a_loaded_boosted_or_network_model_is_the_same_bit_by_bit(data, tmp_path, model):
    X, y = data
    other = load_model(save_model(model.fit(X, y), tmp_path / "model"))
    assert type(other) is type(model)
    assert other.get_params() == model.get_params()
    assert other.n_columns_ == model.n_columns_
    assert list(other.feature_names_in_) == ["a", "b", "c"]
    assert np.array_equal(other.decision_function(X), model.decision_function(X))
    assert np.array_equal(other.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(other.predict(X), model.predict(X))


def test_an_estimator_of_ones_own_is_not_saved(data, tmp_path):
    class Mine(SmoothRankingPrototype):
        pass

    model = Mine(solver="highs", max_prototypes=1).fit(*data)
    with pytest.raises(ModelFileError, match="A Mine cannot be saved"):
        save_model(model, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [MODEL_FILE, ARRAYS_FILE])
def test_a_changed_byte_is_refused_wherever_it_is(saved, tmp_path, name):
    _, folder = saved
    copy = shutil.copytree(folder, tmp_path / "copy")
    original = (copy / name).read_bytes()
    rng = np.random.default_rng(0)
    for position in rng.integers(len(original), size=200):
        changed = bytearray(original)
        changed[position] ^= 1 << int(rng.integers(8))
        (copy / name).write_bytes(bytes(changed))
        with pytest.raises(ModelFileError):
            load_model(copy)
    (copy / name).write_bytes(original)
    load_model(copy)


@pytest.mark.parametrize("extra", [b" ", b"\n", b"0"])
def test_an_added_byte_is_refused(saved, tmp_path, extra):
    _, folder = saved
    for name in (MODEL_FILE, ARRAYS_FILE):
        copy = shutil.copytree(folder, tmp_path / name / "copy")
        (copy / name).write_bytes((copy / name).read_bytes() + extra)
        with pytest.raises(ModelFileError):
            load_model(copy)


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(ModelFileError, match="cannot be read"):
        load_model(tmp_path / "nowhere")


def test_a_foreign_folder_is_not_overwritten(saved, tmp_path):
    model, _ = saved
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    with pytest.raises(ModelFileError, match="not a saved model"):
        save_model(model, tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize("content", ["{}", '{"schema": 1}', "not JSON"])
def test_a_folder_with_a_model_json_of_its_own_is_not_overwritten(saved, tmp_path, content):
    model, folder = saved
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / MODEL_FILE).write_text(content)
    (mine / ARRAYS_FILE).write_bytes(b"mine")
    with pytest.raises(ModelFileError, match="not a saved model"):
        save_model(model, mine)
    beside = shutil.copytree(folder, tmp_path / "beside")
    (beside / "thesis.tex").write_text("years of work")
    with pytest.raises(ModelFileError, match="not a saved model"):
        save_model(model, beside)
    assert (beside / "thesis.tex").read_text() == "years of work"


def test_a_link_to_a_model_is_followed(saved, tmp_path):
    model, folder = saved
    shutil.copytree(folder, tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    save_model(model, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    load_model(tmp_path / "real")


def test_saving_again_replaces_and_leaves_nothing_else(saved, tmp_path):
    model, _ = saved
    save_model(model, tmp_path / "model")
    save_model(model, tmp_path / "model")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == [ARRAYS_FILE, MODEL_FILE]


def test_an_unfitted_model_is_not_saved(tmp_path):
    with pytest.raises(NotFittedError):
        save_model(SmoothRankingPrototype(), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_loading_and_scoring_need_no_tensorflow_or_solver(saved):
    _, folder = saved
    code = (
        "import sys, numpy as np, pandas as pd; from smoothrank import load_model; "
        f"m = load_model({str(folder)!r}); "
        "m.predict_proba(pd.DataFrame(np.zeros((1, 3)), columns=list('abc'))); "
        "bad = {'tensorflow', 'gurobipy', 'highspy'} & set(sys.modules); "
        "sys.exit(str(bad) if bad else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
