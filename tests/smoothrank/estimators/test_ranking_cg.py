"""Ranking-CG Prototype: its masters against the full pair program, and where it stops."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from smoothrank import RankingCGPrototype
from tests.support.oracles.naive import (
    naive_hinge,
    pair_program,
    solve_with_gurobi,
    solve_with_highs,
)


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(
        n_samples=60, n_features=3, n_informative=3, n_redundant=0, class_sep=0.4, random_state=3
    )
    return X, y == 1


@pytest.mark.parametrize("full", [solve_with_gurobi, solve_with_highs])
@pytest.mark.parametrize("solver", ["gurobi", "highs"])
@pytest.mark.parametrize("bounded", [True, False])
def test_every_column_is_an_optimum_of_the_full_pair_program(data, bounded, solver, full):
    X, is_positive = data
    weight = np.ones(len(X))
    model = RankingCGPrototype(
        0.0, bounded=bounded, first_prototype="first", solver=solver, max_prototypes=6
    ).fit(X, is_positive)
    D = model.model_.columns(X)
    assert len(model.weights_path_) == 6
    for T, (weights, record) in enumerate(zip(model.weights_path_, model.history_, strict=True), 1):
        bound = 1.0 if bounded else None
        expected, _ = full(pair_program(D[:, :T], is_positive, weight, 0.0, None, bound))
        assert naive_hinge(D[:, :T] @ weights, is_positive, weight) == pytest.approx(
            expected, abs=1e-6
        )
        assert record.objective == pytest.approx(expected, abs=1e-6)
    assert np.all(np.abs(model.weights_) <= 1 + 1e-9) == bounded


def stop(aucs, **parameters):
    """How many columns there are when the rule first says so."""
    model = RankingCGPrototype(**parameters)
    return next(n for n in range(2, len(aucs) + 1) if model.has_converged(aucs[:n]))


def test_the_published_rule_looks_five_columns_back():
    aucs = [0.5, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9045, 0.92, 0.92]
    assert stop(aucs, alpha=0.01) == 7
    assert stop(aucs, alpha=0.03) == 7
    assert stop([0.9, *aucs], alpha=0.001) == 6


def test_the_rule_of_the_tables_looks_one_column_back_but_not_before_the_sixth():
    aucs = [0.5, 0.9, 0.9, 0.9, 0.91, 0.93, 0.92, 0.9205, 0.9205]
    assert stop(aucs, alpha=0.05, columns_back=1) == 6
    assert stop(aucs, alpha=0.02, columns_back=1) == 7
    assert stop(aucs, alpha=0.001, columns_back=1) == 8
    assert stop(aucs, alpha=1e-5, columns_back=1) == 9


def test_more_columns_back_than_six_waits_for_them():
    assert stop([0.9] * 12, alpha=0.05, columns_back=8) == 9


@pytest.mark.parametrize("columns_back", [1, 5])
def test_training_rows_in_order_stop_at_once(columns_back):
    assert stop([0.5, 0.9, 1.0, 1.0], alpha=1e-5, columns_back=columns_back) == 3


@pytest.mark.parametrize("columns_back", [1, 5])
def test_a_fit_ends_where_its_rule_says(data, columns_back):
    X, is_positive = data
    model = RankingCGPrototype(0.01, columns_back=columns_back, solver="highs").fit(X, is_positive)
    aucs = [record.train_auc for record in model.history_]
    assert len(aucs) >= 6
    assert len(aucs) == stop(aucs, alpha=0.01, columns_back=columns_back)
