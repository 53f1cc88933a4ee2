"""Laws that hold for every penalty."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from smoothrank.penalties import Change, Penalty, penalty, penalty_names

numbers = st.floats(-100, 100).map(lambda value: round(value, 3))
vectors = arrays(np.float64, 4, elements=numbers)
PENALTIES: list[Penalty] = [*map(penalty, penalty_names()), Change(np.array([1.0, -2.0, 0.0, 5.0]))]


@pytest.mark.parametrize("some", PENALTIES, ids=lambda some: some.name)
@given(w=vectors, v=vectors)
def test_a_subgradient_supports_the_penalty(some, w, v):
    support = some.value(w) + float(some.subgradient(w) @ (v - w))
    assert some.value(v) >= support - 1e-7 * (1.0 + abs(support))


@pytest.mark.parametrize("name", ["l1", "linf"])
@given(w=vectors, g=vectors)
def test_the_dual_norm_bounds_the_inner_product(name, w, g):
    some = penalty(name)
    bound = some.dual_norm(g) * some.value(w)
    assert float(g @ w) <= bound + 1e-7 * (1.0 + bound)


@pytest.mark.parametrize("name", penalty_names())
def test_no_weights_cost_nothing(name):
    assert penalty(name).value(np.zeros(3)) == 0.0


def test_only_changes_of_old_weights_cost():
    change = Change(np.array([1.0, -2.0, 9.0]))
    assert change.value(np.array([1.0, -2.0, -50.0])) == 0.0
    assert change.value(np.array([1.5, -4.0, 0.0])) == pytest.approx(2.5)
    assert change.dual_norm(np.array([0.3, -0.5, 0.0])) == 0.5
    assert change.dual_norm(np.array([0.3, -0.5, 0.1])) == np.inf
