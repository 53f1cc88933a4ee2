import numpy as np
import pytest

from smoothrank.distillation.average import SHARPNESS, fit_average, recipe
from smoothrank.distillation.comparison import Comparison, compare, stratified_folds
from smoothrank.distillation.kernel_models import (
    KERNEL_MODELS,
    STRENGTHS,
    KernelModel,
    TrainingRows,
    fit_kernel_model,
    path_scores,
)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    is_positive = np.abs(X[:, 0]) + 0.5 * rng.normal(size=120) > 1.3
    return TrainingRows(X, is_positive, np.ones(120))


def test_every_model_is_compared_on_every_fold(rows):
    folds = stratified_folds(rows, 1, 0)
    table = compare(rows, folds, 2)
    assert set(table.kernels) == set(KERNEL_MODELS)
    assert all(aucs.shape == (5, len(STRENGTHS)) for aucs in table.kernels.values())
    assert max(aucs.mean(axis=0).max() for aucs in table.kernels.values()) > 0.8
    again = compare(rows, folds, 1)
    assert all(
        np.array_equal(table.kernels[model], again.kernels[model]) for model in KERNEL_MODELS
    )
    assert np.array_equal(table.trees["extra-trees"], again.trees["extra-trees"])


def test_shares_follow_the_validation_auc():
    good, bad = KERNEL_MODELS[0], KERNEL_MODELS[5]
    far = {model: np.full((5, len(STRENGTHS)), 0.5) for model in KERNEL_MODELS}
    far[good] = np.full((5, len(STRENGTHS)), 0.5)
    far[good][:, 3] = 0.9
    far[bad][:, 2] = 0.89
    shares = recipe(Comparison(far, {"extra-trees": np.full(5, 0.9)}))
    assert set(shares.kernels) == {good, bad}
    assert sum(sum(of.values()) for of in shares.kernels.values()) == pytest.approx(0.5)
    ratio = shares.kernels[bad][STRENGTHS[2]] / shares.kernels[good][STRENGTHS[3]]
    assert ratio == pytest.approx(np.exp(-0.01 * SHARPNESS))
    assert shares.trees == pytest.approx({"extra-trees": 0.5})
    without = recipe(Comparison(far, {"extra-trees": np.full(5, 0.6)}))
    assert without.trees == {}


def test_a_fitted_model_has_the_scores_of_its_path(rows):
    model = KernelModel("normal", "laplace", 1.4)
    ((_, scores),) = path_scores([model], rows, rows.X, 1000, 0)
    fitted, gap = fit_kernel_model(model, {STRENGTHS[4]: 1.0}, rows, 1000, 0)
    assert gap < 1e-12
    assert fitted.score(rows.X) == pytest.approx(scores[4] / scores[4].std(), rel=1e-6)


def test_the_average_is_the_sum_of_its_members(rows):
    first, second = KERNEL_MODELS[1], KERNEL_MODELS[9]
    shares = recipe(compare(rows, stratified_folds(rows, 1, 0), 1))
    shares = type(shares)({first: {1.0: 0.3, 10.0: 0.1}, second: {1.0: 0.2}}, {"extra-trees": 0.4})
    average = fit_average(
        shares, rows, kernel_rows=rows, n_landmarks=50, n_trees=20, seed=1, n_jobs=2
    )
    total = sum(
        member.share * (member.function.score(rows.X) - member.mean) / member.spread
        for member in average.members
    )
    assert average.score(rows.X) == pytest.approx(total)
    assert average.n_columns == 50 + 50 + 20
    kernels = average.members[0].function.score(rows.X)
    assert kernels.std() <= 0.4 + 1e-9
