import numpy as np

from smoothrank.distillation.size_choice import best_student, smallest_good


def test_folds_that_differ_from_each_other_do_not_hide_a_difference_between_sizes():
    folds = np.array([0.6, 0.7, 0.8, 0.9])
    assert smallest_good({2: folds - 0.01, 5: folds}) == 5


def test_a_difference_that_is_within_its_standard_error_does_not_count():
    behind = np.array([0.02, -0.02, 0.02, -0.01])
    assert smallest_good({2: 0.8 - behind, 5: np.full(4, 0.8)}) == 2


def test_the_view_is_that_of_the_best_student():
    aucs = {
        ("standard", 1): np.array([0.7, 0.7]),
        ("standard", 5): np.array([0.8, 0.8]),
        ("normal", 1): np.array([0.6, 0.6]),
        ("normal", 5): np.array([0.9, 0.9]),
    }
    assert best_student(aucs) == ("normal", 5)
