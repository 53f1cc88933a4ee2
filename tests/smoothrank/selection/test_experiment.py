"""The experiment: the paper's rule to the letter, and honest selection, with any method."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from smoothrank import SmoothRankingPrototype
from smoothrank.selection.choice import choose_honest
from smoothrank.selection.experiment import run_experiment, with_settings
from smoothrank.selection.fold_fit import fit_fold
from smoothrank.selection.folds import paper_folds
from smoothrank.selection.methods import Method, method
from smoothrank.selection.splits import honest_parts, paper_parts
from smoothrank.tables.one_hot import Encoder
from tests.support.oracles.paper_protocol import paper_protocol, paper_split


@pytest.fixture(scope="module")
def rows():
    X, y = make_classification(
        n_samples=90, n_features=4, weights=[0.75], class_sep=0.7, random_state=3
    )
    return X * np.array([1.0, 100.0, 1.0, 1.0]), 2 * y - 1


def few(name: str, *values: float) -> Method:
    known = method(name)
    return Method(name, known.make, values, known.selection, known.fit_grid)


def test_the_papers_parts_are_those_of_its_split(rows):
    X, y = rows
    parts, split = paper_parts(y), paper_split(X, y)
    assert np.array_equal(X[list(parts.train)], split.X_train)
    assert np.array_equal(X[list(parts.test)], split.X_test)
    expected = paper_folds(split.X_train, split.y_train)
    for (fitted, validating), fold in zip(parts.fold_rows(), expected, strict=True):
        assert np.array_equal(fitted, fold[0])
        assert np.array_equal(validating, fold[1])


def test_honest_parts_have_the_same_test_rows_and_repeated_folds(rows):
    _, y = rows
    parts = honest_parts(y, 3, 2, 0)
    assert parts.test == paper_parts(y).test
    assert len(parts.folds) == 6
    for repeat in (parts.folds[:3], parts.folds[3:]):
        assert sorted(place for fold in repeat for place in fold) == list(range(len(parts.train)))
    assert parts.folds[:3] != parts.folds[3:]
    assert honest_parts(y, 3, 2, 1).folds != parts.folds


def test_the_smooth_method_is_the_papers_protocol(load_or_skip):
    data = load_or_skip("zoo-3")
    X = Encoder().fit_transform(data.X)
    grid = (1e-4, 1e-2, 0.5)
    found = run_experiment(few("smooth", *grid), X, data.y, paper_parts(data.y))
    expected = paper_protocol(X, data.y, grid=grid)
    assert (found.value, found.scale) == (expected.C, None)
    assert (found.cv_auc, found.test_auc) == pytest.approx((expected.cv_auc, expected.test_auc))
    assert found.n_used == expected.n_prototypes
    means = [np.mean(found.fold_aucs[value, None]) for value in grid]
    assert means == pytest.approx(expected.cv_auc_by_C)
    assert found.gap <= found.worst_gap <= 1e-6


def test_honest_selection_chooses_scaling_and_number_as_fits_one_by_one_do(rows):
    X, y = rows
    parts, scales, grid = honest_parts(y, 3, 1, 0), (None, "standard"), (1e-3, 1e-1)
    known, made = few("smooth", *grid), []

    def make(value):
        made.append(known.make(value))
        return made[-1]

    chosen = replace(known, make=make)
    found = run_experiment(chosen, X, y, parts, selection="honest", scales=scales, solver="highs")
    train, test = list(parts.train), list(parts.test)

    def model(value, scale, most=100):
        return SmoothRankingPrototype(value, scale=scale, max_prototypes=most, solver="highs")

    fits = {
        (value, scale): [
            fit_fold(model(value, scale), X[train], y[train], *fold) for fold in parts.fold_rows()
        ]
        for value in grid
        for scale in scales
    }
    choice = choose_honest(fits)
    refit = model(choice.value, choice.scale, choice.n_prototypes).fit(X[train], y[train])
    assert (found.value, found.scale) == (choice.value, choice.scale)
    assert found.scale == "standard"
    assert found.cv_auc == pytest.approx(choice.cv_auc_mean)
    assert found.cv_auc_std == pytest.approx(choice.cv_auc_std)
    assert found.fold_aucs.keys() == fits.keys()
    expected = roc_auc_score(y[test], refit.decision_function(X[test]))
    assert found.test_auc == pytest.approx(expected, abs=1e-12)
    assert made[-1].get_params() == refit.get_params()
    assert choice.n_prototypes is not None
    assert choice.n_prototypes < 100


def test_a_rule_sets_what_our_estimators_know_and_leaves_others_alone():
    ours = with_settings(method("smooth"), "honest", "quantile", "highs", 3).make(0.1)
    assert (ours.scale, ours.first_prototype, ours.solver) == ("quantile", "priced", "highs")
    assert (ours.C, ours.max_prototypes) == (0.1, 3)
    paper = with_settings(method("smooth"), "paper", None).make(0.1)
    assert (paper.scale, paper.first_prototype) == (None, "first")
    theirs = Method("theirs", lambda C: LogisticRegression(C=C, solver="liblinear"), (1.0,))
    assert with_settings(theirs, "honest", "standard", "highs").make(1.0).solver == "liblinear"


class KnownGap(LogisticRegression):
    """A classifier whose fits have the gaps of a list, one after the other."""

    gaps: ClassVar[list[float]] = []

    def fit(self, X, y):
        self.gap_ = self.gaps.pop(0)
        return super().fit(X, y)


@pytest.mark.parametrize(("refit", "worst"), [(0.25, 0.5), (0.75, 0.75)])
def test_the_worst_gap_is_that_of_all_fits(rows, monkeypatch, refit, worst):
    monkeypatch.setattr(KnownGap, "gaps", [0.125, 0.5, 0.25, 0.125, 0.25, refit])
    known = Method("known gaps", lambda C: KnownGap(C=C), (1.0,))
    X, y = rows
    found = run_experiment(known, X, y, paper_parts(y))
    assert (found.gap, found.worst_gap) == (refit, worst)
