import numpy as np

from smoothrank.distillation.size_choice import is_settled, smallest_good


def test_folds_that_differ_from_each_other_do_not_hide_a_difference_between_sizes():
    folds = np.array([0.6, 0.7, 0.8, 0.9])
    assert smallest_good({2: folds - 0.01, 5: folds}) == 5


def test_a_difference_that_is_within_its_standard_error_does_not_count():
    behind = np.array([0.02, -0.02, 0.02, -0.01])
    assert smallest_good({2: 0.8 - behind, 5: np.full(4, 0.8)}) == 2


def test_students_stop_growing_when_two_larger_ones_are_no_better():
    flat, better = np.array([0.8, 0.7]), np.array([0.9, 0.7])
    assert not is_settled({1: flat, 2: flat})
    assert is_settled({1: flat, 2: flat, 3: flat})
    assert not is_settled({1: flat, 2: flat, 3: better})
    assert not is_settled({1: flat, 2: better, 3: flat})
    assert is_settled({1: flat, 2: better, 3: flat, 5: better})
