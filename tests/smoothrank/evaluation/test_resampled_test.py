"""The corrected resampled t-test against its formula, and how often it errs."""

import numpy as np
import pytest
from scipy import stats

from smoothrank.evaluation.delong import EvaluationError
from smoothrank.evaluation.resampled_test import compare_folds


def test_it_is_nadeau_and_bengio_s_formula():
    new, old = [0.80, 0.82, 0.79, 0.85, 0.81], [0.83, 0.82, 0.80, 0.86, 0.85]
    difference = np.subtract(new, old)
    found = compare_folds(new, old, 0.25)
    t = difference.mean() / np.sqrt((1 / 5 + 0.25) * difference.var(ddof=1))
    assert found.p_worse == pytest.approx(stats.t.cdf(t, 4))
    assert found.difference == pytest.approx(found.auc_new - found.auc_old)
    plain = stats.ttest_1samp(difference, 0.0, alternative="less").pvalue
    assert plain < found.p_worse < 0.5


@pytest.mark.parametrize(("by", "p"), [(0.0, 0.5), (0.125, 1.0), (-0.125, 0.0)])
def test_differences_without_spread(by, p):
    assert compare_folds([0.75 + by] * 3, [0.75] * 3, 0.5).p_worse == p


@pytest.mark.parametrize(("new", "old"), [([0.8], [0.8]), ([0.8, 0.9], [0.8])])
def test_folds_must_be_pairs_and_two(new, old):
    with pytest.raises(EvaluationError, match="same two or more folds"):
        compare_folds(new, old, 0.25)
