"""DeLong's interval and test against the definition, and against what they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logit
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from smoothrank.errors import SmoothrankError
from smoothrank.evaluation.delong import auc_interval, compare_auc


def naive_components(scores, is_positive):
    """V_p and V_n by the definition: every pair once."""
    positives, negatives = scores[is_positive], scores[~is_positive]
    kernel = [[1.0 if p > n else 0.5 if p == n else 0.0 for n in negatives] for p in positives]
    return np.mean(kernel, axis=1), np.mean(kernel, axis=0)


def naive_covariance(score_sets, is_positive):
    """DeLong's S = S10 / m + S01 / n of several scores."""
    components = [naive_components(scores, is_positive) for scores in score_sets]
    by_positive = np.array([positive for positive, _ in components])
    by_negative = np.array([negative for _, negative in components])
    m, n = by_positive.shape[1], by_negative.shape[1]
    return np.atleast_2d(np.cov(by_positive)) / m + np.atleast_2d(np.cov(by_negative)) / n


@st.composite
def scored_rows(draw):
    n_positive, n_negative = draw(st.integers(2, 7)), draw(st.integers(2, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    levels = draw(st.integers(1, 12))
    scores = rng.integers(0, levels, (2, n_positive + n_negative)).astype(float)
    return scores, rng.permutation(np.arange(n_positive + n_negative) < n_positive)


@given(scored_rows())
@settings(max_examples=300, deadline=None)
def test_interval_is_delongs_on_the_logit_scale(rows):
    (scores, _), is_positive = rows
    found = auc_interval(scores, is_positive)
    assert found.auc == pytest.approx(roc_auc_score(is_positive, scores), abs=1e-12)
    assert 0.0 <= found.low <= found.auc <= found.high <= 1.0
    error = np.sqrt(naive_covariance([scores], is_positive)[0, 0])
    if error > 1e-9 and 0.0 < found.auc < 1.0:
        reach = norm.ppf(0.975) * error / (found.auc * (1.0 - found.auc))
        assert logit(found.low) == pytest.approx(logit(found.auc) - reach, rel=1e-9, abs=1e-9)
        assert logit(found.high) == pytest.approx(logit(found.auc) + reach, rel=1e-9, abs=1e-9)


@given(scored_rows())
@settings(max_examples=300, deadline=None)
def test_comparison_is_delongs_paired_test(rows):
    (new, old), is_positive = rows
    found = compare_auc(new, old, is_positive)
    covariance = naive_covariance([new, old], is_positive)
    variance = covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1]
    assert found.auc_new == pytest.approx(roc_auc_score(is_positive, new), abs=1e-12)
    assert found.auc_old == pytest.approx(roc_auc_score(is_positive, old), abs=1e-12)
    assert found.difference == pytest.approx(found.auc_new - found.auc_old, abs=1e-12)
    assert found.standard_error == pytest.approx(np.sqrt(max(variance, 0.0)), abs=1e-7)
    if variance > 1e-9:
        expected = norm.cdf(found.difference / np.sqrt(variance))
        assert found.p_worse == pytest.approx(expected, abs=1e-6)


def draw_scores(rng, n_positive, n_negative, shift):
    is_positive = np.arange(n_positive + n_negative) < n_positive
    return rng.standard_normal(len(is_positive)) + shift * is_positive, is_positive


@pytest.mark.parametrize(("n_positive", "n_negative"), [(15, 60), (50, 200)])
@pytest.mark.parametrize("auc", [0.7, 0.9])
def test_intervals_cover_the_truth_as_often_as_they_say(n_positive, n_negative, auc):
    rng = np.random.default_rng(1)
    shift = np.sqrt(2.0) * norm.ppf(auc)
    covered = 0
    for _ in range(1500):
        found = auc_interval(*draw_scores(rng, n_positive, n_negative, shift))
        covered += found.low <= auc <= found.high
    assert 0.93 <= covered / 1500 <= 0.975


def test_perfect_ranking_of_few_rows_is_not_certain():
    few = auc_interval([3.0, 4.0, 1.0, 2.0], np.array([True, True, False, False]))
    many = auc_interval(np.arange(200.0), np.arange(200) >= 100)
    assert (few.auc, few.high) == (many.auc, many.high) == (1.0, 1.0)
    assert few.low < 0.75
    assert 0.95 < many.low < 1.0


def test_the_worst_ranking_mirrors_the_best():
    best = auc_interval(np.arange(20.0), np.arange(20) >= 15)
    worst = auc_interval(-np.arange(20.0), np.arange(20) >= 15)
    assert (worst.auc, worst.low, worst.high) == pytest.approx((0.0, 0.0, 1.0 - best.low))


def test_one_positive_row_says_little():
    found = auc_interval(np.arange(11.0), np.arange(11) == 8)
    assert found.auc == pytest.approx(0.8)
    assert 0.1 < found.low < 0.5
    assert 0.9 < found.high < 0.99


def test_a_higher_level_is_wider():
    scores, flags = draw_scores(np.random.default_rng(0), 20, 50, 1.0)
    narrow, wide = auc_interval(scores, flags, level=0.5), auc_interval(scores, flags, level=0.99)
    assert wide.low < narrow.low < narrow.auc < narrow.high < wide.high


def test_two_equally_good_models_are_told_apart_as_often_as_the_level_says():
    rng = np.random.default_rng(2)
    found = []
    for _ in range(1500):
        base, flags = draw_scores(rng, 30, 100, 1.0)
        new, old = (base + 0.5 * rng.standard_normal(len(base)) for _ in range(2))
        found.append(compare_auc(new, old, flags).p_worse)
    assert 0.03 <= np.mean(np.array(found) < 0.05) <= 0.07
    assert 0.45 <= np.mean(np.array(found) < 0.5) <= 0.55


def test_a_worse_model_is_seen_and_a_better_one_passes():
    base, flags = draw_scores(np.random.default_rng(3), 40, 200, 1.5)
    noisy = base + 2.0 * np.random.default_rng(4).standard_normal(len(base))
    assert compare_auc(noisy, base, flags).p_worse < 0.01
    assert compare_auc(base, noisy, flags).p_worse > 0.99


def test_pairing_sees_what_two_intervals_do_not():
    base, flags = draw_scores(np.random.default_rng(5), 40, 200, 1.0)
    worse = base - 0.2 * flags
    assert auc_interval(worse, flags).high > auc_interval(base, flags).low
    assert compare_auc(worse, base, flags).p_worse < 0.05


def test_the_same_ranking_is_neither_better_nor_worse():
    scores, flags = draw_scores(np.random.default_rng(0), 7, 23, 1.0)
    found = compare_auc(np.exp(scores), scores, flags)
    assert (found.difference, found.standard_error, found.p_worse) == (0.0, 0.0, 0.5)


def test_opposite_rankings_differ_for_certain():
    flags = np.array([True, True, False, False])
    good, bad = np.array([4.0, 3.0, 2.0, 1.0]), np.array([1.0, 2.0, 3.0, 4.0])
    assert compare_auc(bad, good, flags).p_worse == 0.0
    assert compare_auc(good, bad, flags).p_worse == 1.0


def test_one_row_of_a_class_is_no_proof():
    flags = np.array([True, False, False, False])
    found = compare_auc([2.0, 1.0, 3.0, 4.0], [4.0, 1.0, 2.0, 3.0], flags)
    assert found.difference == pytest.approx(-2 / 3)
    assert found.p_worse > 0.05


def test_many_rows_are_no_burden():
    scores, flags = draw_scores(np.random.default_rng(0), 100_000, 400_000, 1.0)
    found = auc_interval(scores, flags)
    assert found.high - found.low < 0.005


@pytest.mark.parametrize(
    ("scores", "is_positive", "message"),
    [
        ([1.0, 2.0], np.array([True, True]), "one class"),
        ([1.0, 2.0], np.array([False, False]), "one class"),
        ([1.0, np.nan], np.array([True, False]), "row 2: not a number"),
        ([1.0], np.array([True, False]), "one score for each row"),
        ([1.0, 2.0], np.array([1, -1]), "true or false"),
    ],
)
def test_what_cannot_be_judged_is_said(scores, is_positive, message):
    with pytest.raises(SmoothrankError, match=message):
        auc_interval(scores, is_positive)
    with pytest.raises(SmoothrankError, match=message):
        compare_auc(scores, scores, is_positive)


def test_a_level_outside_is_refused():
    with pytest.raises(SmoothrankError, match="between 0 and 1"):
        auc_interval([1.0, 2.0], np.array([True, False]), level=95)
