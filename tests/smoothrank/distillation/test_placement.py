import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank.distillation.placement import MOST_KNOTS, SLOPE, Placement


def both_classes(scores, is_positive):
    """½ F₊ + ½ F₋ at each score, a tie counted one half."""
    places = np.zeros(len(scores))
    for own in (is_positive, ~is_positive):
        below = (scores[own][None, :] < scores[:, None]).mean(axis=1)
        equal = (scores[own][None, :] == scores[:, None]).mean(axis=1)
        places += 0.5 * (below + 0.5 * equal)
    return places


def half_each(is_positive):
    return np.where(is_positive, 0.5 / is_positive.sum(), 0.5 / (~is_positive).sum())


def test_a_score_stands_at_the_mean_of_its_places_in_both_classes():
    rng = np.random.default_rng(0)
    is_positive = np.arange(60) < 6
    scores = rng.normal(size=60).round(1) + is_positive
    place = Placement.fit(scores, half_each(is_positive))
    slope = SLOPE * (scores - place.knots[len(place.knots) // 2]) / place.spread
    assert place(scores) - slope == pytest.approx(both_classes(scores, is_positive), abs=0.02)


def test_many_scores_have_few_knots_and_nearly_the_same_places():
    rng = np.random.default_rng(1)
    is_positive = rng.random(5000) < 0.05
    scores = np.exp(3.0 * rng.normal(size=5000)) + 2.0 * is_positive
    place = Placement.fit(scores, half_each(is_positive))
    assert len(place.knots) <= MOST_KNOTS
    within = np.interp(scores, place.knots, place.places)
    assert within == pytest.approx(both_classes(scores, is_positive), abs=2.0 / MOST_KNOTS)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(0, 2**16))
def test_a_higher_score_stands_higher_also_beyond_all_that_were_seen(seen, seed):
    weight = np.random.default_rng(seed).uniform(0.1, 1.0, len(seen))
    place = Placement.fit(np.array(seen), weight)
    low, high = min(seen), max(seen)
    step = max(1.0, high - low)
    asked = np.linspace(low - step, high + step, 41)
    assert np.all(np.diff(place(asked)) > 0.0)
