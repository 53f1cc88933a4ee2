import numpy as np
import pytest

from smoothrank.estimators.decision import balanced_threshold
from smoothrank.losses.pairwise_hinge import Pairs


def test_of_equally_good_thresholds_the_middle_one_is_taken():
    pairs = Pairs.from_labels(np.array([False, True, False, True]))
    assert balanced_threshold(np.arange(4.0), pairs) == pytest.approx(2.5)
    pairs = Pairs.from_labels(np.array([False, True, False, True, False, True]))
    assert balanced_threshold(np.arange(6.0), pairs) == pytest.approx(2.5)
