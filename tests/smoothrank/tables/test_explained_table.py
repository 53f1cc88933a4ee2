"""Scores of a table's rows in the table's own words: levels, dates, missing cells."""

import numpy as np
import pandas as pd
import pytest

from smoothrank import SmoothRanking, SmoothRankingPrototype, TableEncoder, TabularModel
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.tables.explained_table import ExplainedTable, can_be_explained, reason_of
from smoothrank.tables.feature_words import feature_words
from smoothrank.tables.one_hot import Encoder


def paints(n_rows=160):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["blue", "green", "red"], n_rows),
            "age": rng.integers(20, 80, n_rows).astype(float),
            "sold": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 300, n_rows), "D"),
            "matt": rng.choice(["no", "yes"], n_rows),
        }
    )
    frame.loc[rng.random(n_rows) < 0.2, "age"] = np.nan
    is_rare = (frame["colour"] == "red") & (frame["age"].fillna(50) > 35)
    return frame, np.where(is_rare, 1, -1)


@pytest.fixture(scope="module")
def explained():
    frame, y = paints()
    encoder = TableEncoder().fit(frame)
    classifier = SmoothRanking(3).fit(encoder.transform(frame), y)
    return ExplainedTable(TabularModel(encoder, classifier, "y", "no", "yes")), frame


def test_features_are_said_as_people_say_them(explained):
    table, _ = explained
    names = [str(name) for name in table.model.features]
    said = {
        name: (words.said(1.0), words.said(0.0))
        for name, words in zip(names, table.words, strict=True)
    }
    assert said["colour_red"] == ("colour is red", "colour is not red")
    assert said["matt_yes"] == ("matt is yes", "matt is no")
    assert said["age is missing"] == ("age is missing", "age is there")
    assert said["age"] == ("age 1", "age 0")
    assert said["sold (days since 1970-01-01)"][0] == "sold 1970-01-02"
    month = table.words[names.index("sold (month, cos)")]
    assert (month.name, month.short(-0.9)) == ("sold, Jan or Jul", "Jul")
    assert (month.said(0.9), month.said(-0.9)) == ("sold towards January", "sold towards July")
    flag = table.words[names.index("colour_red")]
    assert (flag.name, flag.short(0.8), flag.short(0.2)) == ("colour is red", "yes", "no")


def test_rare_levels_and_the_plain_encoder_have_words_too():
    many = pd.DataFrame({"town": ["A"] * 60 + ["B"] * 60 + list("CDEF"), "n": range(124)})
    words = feature_words(TableEncoder().fit(many))
    assert [one.said(1.0) for one in words if one.kind == "flag"][-1] == "town is a rare one"
    assert [one.said(0.0) for one in words if one.kind == "flag"][-1] == "town is a frequent one"
    plain = feature_words(Encoder().fit(pd.DataFrame({"town": ["A", "B", "C"], "n": [1, 2, 3]})))
    assert [one.said(1.0) for one in plain] == ["n 1", "town is B", "town is C"]


def test_parts_of_columns_sum_to_the_score(explained):
    table, frame = explained
    found = table.reasons(frame)
    parts = [f"part_{name}" for name in ("age", "sold", "colour", "matt")]
    assert list(found.columns) == [*parts, "typical", "because"]
    total = found[[*parts, "typical"]].sum(axis="columns")
    assert total.to_numpy() == pytest.approx(table.model.decision_function(frame), abs=1e-12)
    assert table.mean_parts(frame) == pytest.approx(found[parts].abs().mean().to_numpy())
    assert found[parts].abs().mean().idxmax() == "part_colour"


def test_blocks_of_rows_change_nothing(explained, monkeypatch):
    table, frame = explained
    whole = table.reasons(frame)
    monkeypatch.setattr("smoothrank.tables.explained_table.MOST_CELLS", 100)
    pd.testing.assert_frame_equal(whole, table.reasons(frame))


def test_rows_are_explained_in_the_tables_words(explained):
    table, frame = explained
    red = frame[(frame["colour"] == "red") & frame["age"].isna()].iloc[:1]
    (found,) = table.explain(red)
    said = {part.name: part for part in found.features}
    assert str(said["colour"]).startswith("colour is red raises the score by ")
    assert said["age"].said == "age is missing"
    assert said["sold"].said == f"sold is {red['sold'].iloc[0]:%Y-%m-%d}"
    assert found.features[0].name == "colour"
    assert "colour is red (+" in reason_of(found)


def test_closer_and_farther_agree_with_the_sign_of_the_part(explained):
    """Closer to a prototype that raises scores raises the score; farther from it lowers it."""
    table, frame = explained
    for row in table.explain(frame.iloc[:40]):
        for part in row.columns:
            if part.part == 0.0:
                continue
            is_closer = part.where.startswith(f"closer to prototype {part.number} (")
            assert is_closer == (table.effects[part.number - 1] * part.part > 0)
            assert is_closer or part.where.startswith("farther from ")


def test_prototypes_are_numbered_as_in_the_table_of_prototypes(explained):
    table, frame = explained
    weights = table.model.prototype_table()["weight"].to_numpy()
    assert np.array_equal(table.score.weights, weights)
    parts = table.model.contributions(frame)
    (first,) = table.explain(frame.iloc[:1])
    typical = table.model.classifier.typical_row_[None]
    at_typical = table.score.columns(typical)[0] * table.score.weights
    for one in first.columns:
        expected = parts[f"prototype_{one.number}"].iloc[0] - at_typical[one.number - 1]
        assert one.part == pytest.approx(expected, abs=1e-12)
        assert one.place == table.places[one.number - 1]


def test_base_and_effects_are_the_score(explained):
    table, frame = explained
    features = table.model.encode(frame)
    closeness = table.score.family.values(table.score.scaled(features), table.score.parameters)
    score = table.base + closeness @ table.effects
    assert score == pytest.approx(table.model.decision_function(frame), abs=1e-12)


def test_only_bumps_with_a_typical_row_can_be_explained(explained):
    table, frame = explained
    assert can_be_explained(table.model)
    _, y = paints()
    encoder = table.model.encoder
    plain = SmoothRankingPrototype(max_prototypes=2, solver="highs")
    distances = plain.fit(encoder.transform(frame), y)
    assert not can_be_explained(TabularModel(encoder, distances, "y", "no", "yes"))
    assert isinstance(table.score.family, Gaussian)
