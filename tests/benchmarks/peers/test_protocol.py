"""One job: the split, the folds, the choice, and what is measured."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split

from benchmarks.peers import protocol
from benchmarks.peers.participants import PARTICIPANTS, Participant, Shape, base
from benchmarks.peers.results import Job
from smoothrank.errors import SmoothrankError
from smoothrank.selection.splits import paper_parts
from tests.support.registries import restored


@pytest.fixture
def data(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=120) > 1.6).astype(int)
    monkeypatch.setattr(protocol, "load", lambda name: (X, y))
    return X, y


def split(X, y, seed):
    return train_test_split(X, y, stratify=y, test_size=0.25, random_state=seed)


def test_seed_10_is_the_papers_split(data):
    X, y = data
    parts = paper_parts(2 * y - 1)
    np.testing.assert_array_equal(split(X, y, 10)[0], X[list(parts.train)])


def test_a_job_is_what_scikit_learn_says_it_is(data):
    X, y = data
    X_train, X_test, y_train, y_test = split(X, y, 3)
    shape = Shape(90, 4, 5)
    candidates = PARTICIPANTS["logistic-regression"].candidates(shape)
    folds = StratifiedKFold(5, shuffle=True, random_state=3)
    means = [
        cross_val_score(one, X_train, y_train, cv=folds, scoring="roc_auc").mean()
        for one in candidates
    ]
    best = candidates[int(np.argmax(np.round(means, 12)))].fit(X_train, y_train)
    probability = best.predict_proba(X_test)[:, 1]
    line = protocol.run_job(Job("anything", 3, "logistic-regression"))
    assert line.job == Job("anything", 3, "logistic-regression")
    assert line.cv_auc == pytest.approx(max(means), abs=1e-6)
    assert line.test_auc == pytest.approx(roc_auc_score(y_test, probability), abs=1e-6)
    assert line.brier == pytest.approx(brier_score_loss(y_test, probability), abs=1e-6)
    assert line.size == 4
    assert line.seconds > 0


def test_without_a_grid_there_is_no_validation(data):
    with restored(PARTICIPANTS):
        PARTICIPANTS.add(
            Participant("one", "one", lambda _: [LogisticRegression()], lambda _: 1, "columns")
        )
        line = protocol.run_job(Job("anything", 0, "one"))
    assert line.cv_auc is None
    assert line.brier is None


def test_a_method_that_draws_from_the_global_generator_is_the_same_each_time(data):
    class Guess(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.weights = np.random.normal(size=X.shape[1])  # noqa: NPY002
            return self

        def decision_function(self, X):
            return X @ self.weights

    with restored(PARTICIPANTS):
        PARTICIPANTS.add(Participant("guess", "guess", lambda _: [Guess()], lambda _: 1, "columns"))
        aucs = [protocol.run_job(Job("anything", 0, "guess")).test_auc for _ in range(2)]
    assert aucs[0] == aucs[1]


def test_the_forest_is_calibrated_with_as_many_folds_as_the_smaller_class_allows():
    (forest,) = PARTICIPANTS["random-forest-isotonic"].candidates(Shape(100, 3, 3))
    assert isinstance(forest, CalibratedClassifierCV)
    assert forest.cv == 3


@pytest.mark.parametrize(("n_positive", "n_folds"), [(2, 2), (4, 4), (5, 5), (50, 5), (98, 2)])
def test_there_are_as_many_folds_as_the_smaller_class_allows(n_positive, n_folds):
    assert protocol.n_folds((np.arange(100) < n_positive).astype(int)) == n_folds


def test_a_class_of_one_row_cannot_be_tuned_on():
    with pytest.raises(SmoothrankError, match="fewer than two"):
        protocol.n_folds((np.arange(100) < 1).astype(int))


def test_a_path_over_rounds_ranks_as_one_by_one_does(data):
    X, y = data
    path = PARTICIPANTS["rank-boost"]
    candidates = path.candidates(Shape(90, 4, 5))
    together = path.scores(candidates, X, y, X)
    single = base.one_by_one(candidates, X, y, X)
    assert len(together) == len(single) == len(candidates)
    for one, other in zip(together, single, strict=True):
        assert protocol.area(one, y) == protocol.area(other, y)


def test_a_path_fits_as_often_as_there_are_other_parameters(data):
    from sklearn.ensemble import GradientBoostingClassifier

    from benchmarks.peers.participants.base import path_over

    class Counting(GradientBoostingClassifier):
        fits: list[tuple[float, int]] = []  # noqa: RUF012

        def fit(self, X, y):
            self.fits.append((self.learning_rate, self.n_estimators))
            return super().fit(X, y)

    X, y = data
    asked = [(0.1, 3), (0.1, 9), (0.5, 9), (0.5, 3)]
    candidates = [Counting(learning_rate=rate, n_estimators=n) for rate, n in asked]
    scores = path_over(
        "n_estimators", lambda model, rows, n: list(model.staged_decision_function(rows))[n - 1]
    )(candidates, X, y, X)
    assert sorted(Counting.fits) == [(0.1, 9), (0.5, 9)]
    for (rate, n), found in zip(asked, scores, strict=True):
        alone = Counting(learning_rate=rate, n_estimators=n).fit(X, y)
        assert roc_auc_score(y, found.ravel()) == roc_auc_score(y, alone.decision_function(X))
