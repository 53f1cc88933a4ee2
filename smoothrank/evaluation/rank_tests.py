"""Tests for several methods on several data sets: ranks, Friedman, Wilcoxon with Holm, Nemenyi.

A table of scores has one row per data set and one column per method; a greater score is better. The
tests are those that Demšar (2006) recommends for such tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy import stats

from smoothrank.errors import SmoothrankError

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FriedmanTest:
    """Whether all methods rank alike.

    Parameters
    ----------
    chi_square, chi_square_p : float
        Friedman's statistic, corrected for ties, and its p-value with k − 1 degrees of freedom.
    f, f_p : float
        Iman and Davenport's F = (n − 1) χ² / (n (k − 1) − χ²), with k − 1 and (k − 1)(n − 1)
        degrees of freedom, and its p-value; less conservative than χ².
    n_datasets, n_methods : int
        n and k.
    """

    chi_square: float
    chi_square_p: float
    f: float
    f_p: float
    n_datasets: int
    n_methods: int


@dataclass(frozen=True)
class PairedTest:
    """Wilcoxon's signed-rank test of one pair of methods.

    Parameters
    ----------
    first, second : str
        The methods.
    wins, ties, losses : int
        Data sets in which the first is better, equal, worse.
    p : float
        Two-sided p-value.
    p_holm : float
        The same, corrected for the number of pairs.
    """

    first: str
    second: str
    wins: int
    ties: int
    losses: int
    p: float
    p_holm: float


def ranks(scores: npt.ArrayLike) -> Matrix:
    """Return ranks by data set and method: 1 is the best, equal scores share their mean rank."""
    table = _checked(scores)
    return np.asarray(stats.rankdata(-table, axis=1), dtype=np.float64)


def average_ranks(scores: npt.ArrayLike) -> Vector:
    """Return the mean rank of each method over the data sets; smaller is better."""
    return np.asarray(ranks(scores).mean(axis=0))


def friedman(scores: npt.ArrayLike) -> FriedmanTest:
    """Test whether all methods rank alike.

    χ² = (k − 1) Σ_j (R_j − n (k + 1)/2)² / Σ_ij (r_ij − (k + 1)/2)², with R_j the sum of ranks of
    method j; without ties this is Friedman's 12 / (n k (k + 1)) Σ_j R_j² − 3 n (k + 1).
    """
    table = ranks(scores)
    n, k = table.shape
    deviation = float(np.sum((table - (k + 1) / 2) ** 2))
    between = float(np.sum((table.sum(axis=0) - n * (k + 1) / 2) ** 2))
    chi_square = (k - 1) * between / deviation if deviation else 0.0
    rest = n * (k - 1) - chi_square
    f = (n - 1) * chi_square / rest if rest > 1e-12 * n * k else np.inf
    return FriedmanTest(
        chi_square=chi_square,
        chi_square_p=float(stats.chi2.sf(chi_square, k - 1)),
        f=float(f),
        f_p=float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
        n_datasets=n,
        n_methods=k,
    )


def wilcoxon(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test on paired scores.

    Data sets without a difference are left out, as Wilcoxon does. The distribution is exact up to
    fifty differences without ties among their sizes, else normal with a correction for ties.
    Differences below 1e-12 are rounding error, and so are differences of size.
    """
    difference = np.round(np.asarray(first, float) - np.asarray(second, float), 12)
    difference = difference[difference != 0.0]
    if not len(difference):
        return 1.0
    without_ties = len(np.unique(np.abs(difference))) == len(difference)
    exact = without_ties and len(difference) <= 50
    result = stats.wilcoxon(difference, method="exact" if exact else "asymptotic")
    return float(result.pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Apply Holm's step-down correction: the i-th smallest of m is multiplied by m − i + 1."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1.0)
    return [float(value) for value in corrected]


def pairwise_tests(scores: npt.ArrayLike, methods: Sequence[str]) -> list[PairedTest]:
    """Test each pair of methods by Wilcoxon, with Holm's correction over all pairs."""
    table = np.round(_checked(scores), 12)
    if table.shape[1] != len(methods):
        raise SmoothrankError(
            f"{len(methods)} names were given for {table.shape[1]} columns of scores; give one each"
        )
    pairs = list(combinations(range(len(methods)), 2))
    p_values = [wilcoxon(table[:, i], table[:, j]) for i, j in pairs]
    return [
        PairedTest(
            first=methods[i],
            second=methods[j],
            wins=int(np.sum(table[:, i] > table[:, j])),
            ties=int(np.sum(table[:, i] == table[:, j])),
            losses=int(np.sum(table[:, i] < table[:, j])),
            p=p,
            p_holm=corrected,
        )
        for (i, j), p, corrected in zip(pairs, p_values, holm(p_values), strict=True)
    ]


def critical_difference(n_methods: int, n_datasets: int, level: float = 0.05) -> float:
    """Return Nemenyi's critical difference of average ranks, q √(k (k + 1) / 6 n).

    q is the studentised range for k methods and infinite degrees of freedom, divided by √2.
    """
    if n_methods < 2 or n_datasets < 2:
        raise SmoothrankError(
            "a critical difference needs two methods and two data sets at least, not "
            f"{n_methods} and {n_datasets}"
        )
    q = float(stats.studentized_range.ppf(1.0 - level, n_methods, np.inf)) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_datasets)))


def indistinct_groups(average: Sequence[float], difference: float) -> list[tuple[int, ...]]:
    """Return the largest groups of methods with ranks within the critical difference.

    Each group holds positions in `average`, best first; a method alone is no group, and a group
    inside another is left out.
    """
    order = sorted(range(len(average)), key=lambda i: (average[i], i))
    groups: list[tuple[int, ...]] = []
    for start, best in enumerate(order):
        near = [i for i in order[start:] if average[i] - average[best] <= difference]
        if len(near) > 1 and not (groups and set(near) <= set(groups[-1])):
            groups.append(tuple(near))
    return groups


def _checked(scores: npt.ArrayLike) -> Matrix:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        raise SmoothrankError(
            "the tests need a table of two data sets (rows) and two methods (columns) at least, "
            f"not one of shape {table.shape}"
        )
    if not np.isfinite(table).all():
        raise SmoothrankError(
            f"{int(np.sum(~np.isfinite(table)))} scores are missing or infinite; leave out data "
            "sets that not every method has"
        )
    return table
