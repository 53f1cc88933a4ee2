"""The tests of a table of methods, against SciPy, hand-worked numbers and published examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from smoothrank.errors import SmoothrankError
from smoothrank.evaluation.rank_tests import (
    average_ranks,
    critical_difference,
    friedman,
    holm,
    indistinct_groups,
    pairwise_tests,
    ranks,
    wilcoxon,
)

# Demšar (2006), Table 6: AUC of C4.5 with and without two options on fourteen data sets. Voting is
# printed with equal values and unequal ranks; the fourth decimal is made to give those.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)

tables = st.integers(2, 12).flatmap(
    lambda n: st.integers(3, 6).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(0, 6), min_size=k, max_size=k), min_size=n, max_size=n
        )
    )
)


def test_equal_scores_share_their_ranks():
    assert ranks([[0.9, 0.8, 0.9, 0.7], [0.1, 0.2, 0.3, 0.4]]).tolist() == [
        [1.5, 3.0, 1.5, 4.0],
        [4.0, 3.0, 2.0, 1.0],
    ]


def test_average_ranks_of_a_published_table():
    assert average_ranks(DEMSAR) == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)


def test_friedman_of_a_published_table():
    """Demšar prints 9.28 and F = 3.69, without the correction for ties that SciPy makes too."""
    ours = friedman(DEMSAR)
    n, k = DEMSAR.shape
    share = np.sum((ranks(DEMSAR) - (k + 1) / 2) ** 2) / (n * k * (k * k - 1) / 12)
    plain = ours.chi_square * share
    assert plain == pytest.approx(9.28, abs=0.005)
    assert (n - 1) * plain / (n * (k - 1) - plain) == pytest.approx(3.69, abs=0.005)
    assert ours.chi_square == pytest.approx(stats.friedmanchisquare(*DEMSAR.T).statistic)


def test_friedman_and_iman_davenport_without_ties():
    """Nine methods on two data sets, as R's scmamp prints it: 11.733 and 2.75."""
    places = np.array([[1, 8, 6, 4, 7, 2, 5, 3, 9], [1, 6, 3, 9, 7, 2, 8, 4, 5]])
    ours = friedman(-places)
    assert ours.chi_square == pytest.approx(11.733, abs=5e-4)
    assert ours.chi_square_p == pytest.approx(0.1635, abs=5e-5)
    assert ours.f == pytest.approx(2.75)
    assert ours.f_p == pytest.approx(0.08697, abs=5e-6)
    assert (ours.n_datasets, ours.n_methods) == (2, 9)


@given(tables)
def test_friedman_is_that_of_scipy(table):
    scores = np.array(table, dtype=float)
    ours = friedman(scores)
    if np.ptp(scores, axis=1).max() == 0:
        assert (ours.chi_square, ours.chi_square_p, ours.f_p) == (0.0, 1.0, 1.0)
        return
    theirs = stats.friedmanchisquare(*scores.T)
    assert ours.chi_square == pytest.approx(theirs.statistic)
    assert ours.chi_square_p == pytest.approx(theirs.pvalue)
    assert 0.0 <= ours.f_p <= 1.0


def test_the_same_order_everywhere_is_the_strongest_finding():
    ours = friedman([[3, 2, 1]] * 5)
    assert ours.chi_square == pytest.approx(10.0)
    assert (ours.f, ours.f_p) == (np.inf, 0.0)


def test_wilcoxon_by_hand():
    """Differences 1, 2, 3, -4: 10 ranks, R⁻ = 4; 14 of 16 sign patterns are as extreme."""
    assert wilcoxon([1, 2, 3, 0], [0, 0, 0, 4]) == pytest.approx(14 / 16)
    assert wilcoxon([1, 2, 3, 4, 5, 6], [0] * 6) == pytest.approx(2 / 64)


def test_wilcoxon_leaves_out_what_is_equal_up_to_rounding():
    first, second = np.array([1, 2, 3, 4, 5, 6.0]), np.zeros(6)
    padded = np.append(first, [0.3, 0.1 + 0.2]), np.append(second, [0.3, 0.3])
    assert wilcoxon(*padded) == wilcoxon(first, second)
    assert wilcoxon([0.1 + 0.2], [0.3]) == 1.0


def test_wilcoxon_with_ties_is_the_corrected_normal_one():
    """Sizes 1 1 2 2 3, all positive but one of size 1: W = 1.5, variance from tied ranks."""
    p = wilcoxon([1, -1, 2, 2, 3], [0] * 5)
    spread = np.sqrt((1.5**2 + 1.5**2 + 3.5**2 + 3.5**2 + 5**2) / 4)
    assert p == pytest.approx(2 * stats.norm.cdf((1.5 - 7.5) / spread))


def test_wilcoxon_of_a_published_pair():
    """Demšar: C4.5 against C4.5+m; the exact two-sided p of his T is below his 0.05."""
    assert wilcoxon(DEMSAR[:, 0], DEMSAR[:, 1]) < 0.05


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_lies_between_the_raw_and_bonferroni(p_values):
    corrected = holm(p_values)
    for p, q in zip(p_values, corrected, strict=True):
        assert p <= q <= min(1.0, p * len(p_values)) + 1e-12
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(corrected)[order]) >= 0).all()


def test_pairwise_tests_count_and_correct():
    scores = [[0.9, 0.8, 0.8], [0.7, 0.7, 0.6], [0.9, 0.8, 0.1], [0.3, 0.4, 0.2]]
    first, second, third = pairwise_tests(scores, ["a", "b", "c"])
    assert (first.first, first.second) == ("a", "b")
    assert (first.wins, first.ties, first.losses) == (2, 1, 1)
    assert (second.wins, second.ties, second.losses) == (4, 0, 0)
    assert (third.wins, third.ties, third.losses) == (3, 1, 0)
    assert [t.p_holm for t in (first, second, third)] == holm([first.p, second.p, third.p])


@pytest.mark.parametrize(
    ("k", "q"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (10, 3.164)],
)
def test_critical_values_are_the_published_ones(k, q):
    """Demšar (2006), Table 5a, whose studentised ranges are rounded before they are divided."""
    n = 20
    assert critical_difference(k, n) / np.sqrt(k * (k + 1) / (6 * n)) == pytest.approx(q, abs=1e-3)


def test_critical_difference_of_a_published_table():
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, level=0.10) == pytest.approx(1.12, abs=0.005)


def test_groups_that_cannot_be_told_apart():
    assert indistinct_groups([1.0, 3.0, 1.8, 2.6, 5.0], 1.0) == [(0, 2), (2, 3), (3, 1)]
    assert indistinct_groups([1.0, 1.5, 2.0], 1.0) == [(0, 1, 2)]
    assert indistinct_groups([1.0, 4.0], 1.0) == []


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1.0, 2.0]], "two data sets"),
        ([[1.0], [2.0]], "two methods"),
        ([[1.0, np.nan], [1.0, 2.0]], "1 scores are missing"),
    ],
)
def test_a_table_that_cannot_be_tested_is_refused(scores, message):
    with pytest.raises(SmoothrankError, match=message):
        friedman(scores)


def test_wrong_numbers_are_refused():
    with pytest.raises(SmoothrankError, match="one each"):
        pairwise_tests([[1, 2], [3, 4]], ["a"])
    with pytest.raises(SmoothrankError, match="two methods and two data sets"):
        critical_difference(1, 10)
