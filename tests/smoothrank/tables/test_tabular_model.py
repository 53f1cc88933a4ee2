"""A model of a table: raw rows in, the same on disk as in memory, and explained."""

import io
import json
import shutil

import numpy as np
import pandas as pd
import pytest

from smoothrank import (
    L1Ranking,
    LInfRanking,
    RankingCGPrototype,
    RankingSVM,
    SmoothRankingPrototype,
    TabularModel,
    load_model,
)
from smoothrank.persistence.model_file import (
    ARRAYS_FILE,
    MODEL_FILE,
    ModelFileError,
    load_tabular_model,
    save_model,
)
from smoothrank.tables.encoder import TableEncoder
from smoothrank.tables.one_hot import Encoder, EncodingError
from tests.support.fitted import fitted

ESTIMATORS = {
    "smooth": SmoothRankingPrototype(solver="highs", scale="standard", max_prototypes=4),
    "quantile": SmoothRankingPrototype(solver="highs", scale="quantile", max_prototypes=3),
    "ranking-cg": RankingCGPrototype(solver="highs", max_prototypes=3),
    "l1": L1Ranking(5.0, scale="standard"),
    "linf": LInfRanking(5.0),
    "ranking-svm": RankingSVM(1.0, scale="quantile"),
}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, 70),
            "city": rng.choice(["Łódź", "Bergen", "Ghent"], 70),
            "income": rng.lognormal(8, 1, 70).round(2),
            "floor": rng.choice(["0", "1", "attic"], 70),
        }
    )
    y = np.where((frame["age"] > 50) ^ (frame["city"] == "Ghent") | (frame["floor"] == "1"), 1, -1)
    y[:5] *= -1
    frame.loc[3, "income"] = np.nan
    frame.loc[4, "city"] = None
    return frame, y


@pytest.fixture(scope="module", params=ESTIMATORS)
def model(request, table):
    return fitted(table, ESTIMATORS[request.param])


@pytest.fixture(scope="module")
def smooth(table):
    return fitted(table, ESTIMATORS["smooth"])


def test_raw_rows_get_the_classifiers_scores(model, table):
    frame, _ = table
    rows = model.encoder.transform(frame)
    assert np.array_equal(model.decision_function(frame), model.classifier.decision_function(rows))
    assert np.array_equal(model.predict_proba(frame), model.classifier.predict_proba(rows)[:, 1])
    labels = np.where(model.predict_proba(frame) >= 0.5, "yes", "no")
    assert np.array_equal(model.predict(frame), labels)
    scored = model.scored(frame)
    assert list(scored.columns) == ["score", "probability", "class"]
    assert np.array_equal(scored["score"], model.decision_function(frame))
    assert np.array_equal(scored["probability"], model.predict_proba(frame))
    assert list(scored["class"]) == list(labels)


def test_a_loaded_model_is_the_same_bit_by_bit(model, table, tmp_path):
    frame, _ = table
    other = load_tabular_model(save_model(model, tmp_path / "model"))
    assert isinstance(load_model(tmp_path / "model"), TabularModel)
    assert np.array_equal(other.decision_function(frame), model.decision_function(frame))
    assert other.scored(frame).equals(model.scored(frame))
    assert other.contributions(frame).equals(model.contributions(frame))
    assert other.prototype_table().equals(model.prototype_table())
    assert (other.target, other.negative, other.positive) == ("buys", "no", "yes")
    assert other.encoder.columns_ == model.encoder.columns_
    assert other.encoder.get_params() == model.encoder.get_params()
    assert list(other.encoder.feature_names_in_) == list(frame.columns)
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == [ARRAYS_FILE, MODEL_FILE]


def test_contributions_sum_to_the_score(model, table):
    frame, _ = table
    parts = model.contributions(frame)
    assert parts.sum(axis="columns").to_numpy() == pytest.approx(
        model.decision_function(frame), abs=1e-9
    )
    numbered = [name for name in parts.columns if name.startswith("prototype_")]
    assert numbered == list(model.prototype_table().index)
    assert parts["intercept"].nunique() == 1


def test_prototypes_are_in_the_datas_units_heaviest_first(model):
    prototypes = model.prototype_table()
    features = ["age", "income", "city_Ghent", "city_Łódź", "floor_1", "floor_attic"]
    assert list(prototypes.columns) == ["weight", *features]
    assert np.all(np.diff(prototypes["weight"].abs()) <= 0)
    assert prototypes.index[0] == "prototype_1"
    assert prototypes["age"].between(0, 120).all()


def test_norms_show_training_rows_only(table):
    frame, _ = table
    model = fitted(table, ESTIMATORS["l1"])
    rows = {tuple(row) for row in model.encoder.transform(frame).round(6)}
    shown = model.prototype_table().drop(columns="weight").to_numpy().round(6)
    assert {tuple(row) for row in shown} <= rows
    weights = model.prototype_table()["weight"].abs()
    assert weights.min() >= 1e-3 * weights.max()
    assert len(weights) < len(frame)
    assert "others" in model.contributions(frame).columns


def test_other_columns_and_their_order_do_not_matter(smooth, table):
    frame, _ = table
    scores = smooth.decision_function(frame)
    more = frame[frame.columns[::-1]].assign(buys="maybe", when=pd.Timestamp(0))
    assert np.array_equal(smooth.decision_function(more), scores)


def test_the_index_of_the_rows_is_kept(smooth, table):
    frame, _ = table
    some = frame.iloc[[7, 3]]
    assert list(smooth.scored(some).index) == [7, 3]
    assert list(smooth.contributions(some).index) == [7, 3]


def test_levels_that_a_reader_took_for_numbers(smooth, table):
    frame, _ = table
    ground = frame[frame["floor"].isin(["0", "1"])].head(6)
    text = ground.to_csv(index=False)
    whole = pd.read_csv(io.StringIO(text))
    assert pd.api.types.is_integer_dtype(whole["floor"])
    scores = smooth.decision_function(ground)
    assert np.array_equal(smooth.decision_function(whole), scores)
    gap = whole.assign(floor=whole["floor"].astype(float).where(whole.index != 0))
    assert np.array_equal(smooth.decision_function(gap)[1:], scores[1:])


def test_a_missing_value_is_the_one_learnt(smooth, table):
    frame, _ = table
    known = frame.dropna().head(1)
    gap = known.assign(income=np.nan)
    filled = known.assign(income=frame["income"].median())
    assert smooth.decision_function(gap) == smooth.decision_function(filled)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.drop(columns="age"), "missing columns: 'age'"),
        (lambda frame: frame.assign(city="Oslo"), "'city', row 1: unknown level 'Oslo'"),
        (lambda frame: frame.assign(age="old"), "'age', row 1: 'old' is not a number"),
        (lambda frame: frame.head(0), "no rows"),
        (lambda frame: frame.iloc[:, [0, 0, 1, 2, 3]], "two columns 'age'"),
    ],
)
def test_rows_that_do_not_fit_are_refused(smooth, table, change, message):
    for method in (smooth.decision_function, smooth.scored, smooth.contributions):
        with pytest.raises(EncodingError, match=message):
            method(change(table[0]))


@pytest.mark.parametrize("name", [MODEL_FILE, ARRAYS_FILE])
def test_a_changed_byte_is_refused(smooth, tmp_path, name):
    folder = save_model(smooth, tmp_path / "model")
    original = (folder / name).read_bytes()
    rng = np.random.default_rng(0)
    for position in rng.integers(len(original), size=100):
        changed = bytearray(original)
        changed[position] ^= 1 << int(rng.integers(8))
        (folder / name).write_bytes(bytes(changed))
        with pytest.raises(ModelFileError):
            load_tabular_model(folder)
    (folder / name).write_bytes(original)
    load_tabular_model(folder)


def test_arrays_of_another_model_are_refused(smooth, table, tmp_path):
    one = save_model(smooth, tmp_path / "one")
    other = save_model(fitted(table, ESTIMATORS["quantile"]), tmp_path / "other")
    shutil.copy(other / ARRAYS_FILE, one / ARRAYS_FILE)
    with pytest.raises(ModelFileError, match="was changed"):
        load_tabular_model(one)


def test_the_description_can_be_read_by_a_person(smooth, tmp_path):
    folder = save_model(smooth, tmp_path / "model")
    table = json.loads((folder / MODEL_FILE).read_text())["table"]
    assert table["target"] == "buys"
    assert table["encoder"]["columns"][1]["levels"] == ["Bergen", "Ghent", "Łódź"]


def table_model(frame, y, threshold=0.5):
    encoder = TableEncoder().fit(frame)
    classifier = ESTIMATORS["smooth"].fit(encoder.transform(frame), y)
    return TabularModel(encoder, classifier, "buys", "no", "yes", threshold)


def test_a_table_encoder_takes_every_row_and_is_saved_with_what_it_left_out(table, tmp_path):
    frame = table[0].assign(customer=[f"c{i}" for i in range(70)])
    model = table_model(frame, table[1])
    other = load_tabular_model(save_model(model, tmp_path / "model"))
    assert other.encoder.left_out == model.encoder.left_out
    assert other.encoder.notes == model.encoder.notes
    assert "left out: customer (a different text in every row)" in other.encoder.notes
    odd = table[0].assign(city="Oslo", age="old").head(2)
    assert other.scored(odd).equals(model.scored(odd))
    assert other.encode_rows(odd).counts() == {"unseen": 2, "unreadable": 2}
    with pytest.raises(EncodingError, match="is not a number"):
        other.encode_rows(odd, strict=True)


def test_the_class_comes_from_the_threshold_which_is_saved(table, tmp_path):
    frame, y = table
    for threshold in (0.4, 0.8):
        model = load_tabular_model(save_model(table_model(frame, y, threshold), tmp_path / "model"))
        found = model.scored(frame)
        expected = np.where(found["probability"] >= threshold, "yes", "no")
        assert list(found["class"]) == list(expected) == list(model.predict(frame))
        assert set(found["class"]) == {"yes", "no"}


def test_an_encoder_that_refuses_can_be_asked_not_to(smooth, table):
    odd = table[0].assign(city="Oslo").head(1)
    rows = smooth.encode_rows(odd, strict=False)
    assert rows.counts() == {"unseen": 1}
    usual = odd.assign(city=table[0]["city"].mode()[0])
    assert np.array_equal(smooth.scored(rows)["score"], smooth.decision_function(usual))


def test_a_classifier_without_encoder_is_no_table_model(smooth, tmp_path):
    save_model(smooth.classifier, tmp_path / "model")
    with pytest.raises(ModelFileError, match="without its encoder"):
        load_tabular_model(tmp_path / "model")


def test_columns_without_names_are_not_saved(tmp_path):
    frame = pd.DataFrame({0: [1.0, 2.0, 3.0, 4.0]})
    encoder = Encoder().fit(frame)
    classifier = ESTIMATORS["smooth"].fit(encoder.transform(frame), [-1, -1, 1, 1])
    with pytest.raises(ModelFileError, match="its name is no text"):
        save_model(TabularModel(encoder, classifier, "y", "0", "1"), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_feature_may_be_called_weight():
    frame = pd.DataFrame({"weight": [1.0, 2.0, 3.0, 4.0]})
    encoder = Encoder().fit(frame)
    classifier = ESTIMATORS["smooth"].fit(encoder.transform(frame), [-1, -1, 1, 1])
    prototypes = TabularModel(encoder, classifier, "y", "0", "1").prototype_table()
    assert list(prototypes.columns) == ["prototype weight", "weight"]
