import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.datasets import make_classification
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothrank import KernelRanking, load_model, save_model
from smoothrank.columns.kernel_features import JITTER
from tests.support.oracles.naive import naive_squared_hinge


@pytest.fixture(scope="module")
def data():
    return make_classification(80, 4, weights=[0.8], class_sep=0.7, random_state=1)


@pytest.mark.parametrize("kernel", ["gaussian", "laplace"])
def test_the_optimum_is_that_of_a_general_solver_over_all_pairs(data, kernel):
    X, y = data
    model = KernelRanking(30.0, kernel=kernel, scale=None, tol=1e-9).fit(X, y)
    distances = cdist(X, X, "sqeuclidean" if kernel == "gaussian" else "cityblock")
    width = np.median(distances[distances > 0]) * 2.0 ** (2 if kernel == "gaussian" else 1)
    K = np.exp(-distances / width) + JITTER * np.eye(80)

    def objective(a):
        loss = naive_squared_hinge(K @ a, y == 1, np.ones(80))
        return 0.5 * float(a @ K @ a) + 30.0 * loss

    general = minimize(objective, np.zeros(80), method="L-BFGS-B", options={"maxiter": 3000})
    assert model.gap_ <= 1e-9
    assert model.objective_ <= general.fun * (1 + 1e-6)
    assert model.objective_ == pytest.approx(general.fun, rel=1e-3)


def test_a_path_is_the_same_as_fits_one_by_one(data):
    X, y = data
    grid = [100.0, 1.0]
    for C, model in zip(grid, KernelRanking(tol=1e-10).path(X, y, grid), strict=True):
        alone = KernelRanking(C, tol=1e-10).fit(X, y)
        assert model.decision_function(X) == pytest.approx(alone.decision_function(X), abs=1e-5)
        assert model.gap_ <= 1e-10


def test_landmarks_are_a_sample_when_there_are_more_rows(data):
    X, y = data
    model = KernelRanking(max_landmarks=30).fit(X, y)
    assert model.reference_rows_.shape == (30, 4)
    rows = {tuple(np.round(row, 9)) for row in X}
    assert {tuple(np.round(row, 9)) for row in model.reference_rows_} <= rows


def test_a_saved_model_is_the_same(data, tmp_path):
    X, y = data
    model = KernelRanking(scale="normal", kernel="laplace").fit(X, y)
    again = load_model(save_model(model, tmp_path / "model"))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert again.gap_ == model.gap_
    assert np.array_equal(again.reference_rows_, model.reference_rows_)


@parametrize_with_checks(
    [KernelRanking(), KernelRanking(kernel="laplace", scale="normal")],
    expected_failed_checks=lambda _: {
        "check_classifiers_train": "predict cuts at the largest balanced accuracy, predict_proba "
        "is calibrated to the share of positives"
    },
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
