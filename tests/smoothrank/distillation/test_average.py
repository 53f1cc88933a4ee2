import numpy as np
import pytest

from smoothrank.columns.feature_scaling import StandardScaler
from smoothrank.distillation.average import (
    SHARPNESS,
    SHARPNESS_OF_GROUPS,
    average_of_fold,
    fit_average,
    recipe,
)
from smoothrank.distillation.comparison import (
    COMPARED_LANDMARKS,
    COMPARED_TREES,
    Comparison,
    FoldModels,
    compare,
    stratified_folds,
)
from smoothrank.distillation.kernel_models import (
    KERNEL_MODELS,
    STRENGTHS,
    KernelModel,
    TrainingRows,
    fit_kernel_model,
    fit_paths,
)
from smoothrank.distillation.trees import EXTRA_TREES, TreesScore, tree_kinds
from smoothrank.estimators.ranking_classifier import one_blas_thread
from smoothrank.losses.pairwise_hinge import auc


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    is_positive = np.abs(X[:, 0]) + 0.5 * rng.normal(size=120) > 1.3
    return TrainingRows(X, is_positive, np.ones(120))


@pytest.fixture(scope="module", autouse=True)
def few_threads():
    with one_blas_thread():
        yield


@pytest.fixture(scope="module")
def comparison(rows):
    return compare(rows, stratified_folds(rows, 1, 0), 1)


def test_every_model_is_compared_on_every_fold(rows, comparison):
    assert comparison.kinds == tree_kinds(120)
    tables = {model: comparison.kernel_aucs(model) for model in KERNEL_MODELS}
    assert all(aucs.shape == (5, len(STRENGTHS)) for aucs in tables.values())
    assert max(aucs.mean(axis=0).max() for aucs in tables.values()) > 0.8
    in_threads = compare(rows, stratified_folds(rows, 1, 0), 2)
    assert all(
        np.array_equal(tables[model], in_threads.kernel_aucs(model)) for model in KERNEL_MODELS
    )
    assert np.array_equal(in_threads.tree_aucs(EXTRA_TREES), comparison.tree_aucs(EXTRA_TREES))


def made_up(kernels, trees):
    """A comparison on one fold in which models have a given AUC: so many of 100 pairs are right."""
    rows = TrainingRows(np.zeros((101, 1)), np.arange(101) == 100, np.ones(101))

    def scores(wanted):
        return np.append(np.arange(100.0), 100.0 * wanted - 0.5)

    usual = np.array([scores(0.5)] * len(STRENGTHS))
    table = {model: usual.copy() for model in KERNEL_MODELS}
    for (model, strength), wanted in kernels.items():
        table[model][strength] = scores(wanted)
    of_trees = {kind: scores(wanted) for kind, wanted in trees.items()}
    fitted = dict.fromkeys(trees, TreesScore(None, StandardScaler.fit(rows.X, rows.weight)))
    fold = FoldModels(rows, {}, fitted, table, of_trees)
    return Comparison([fold])


def test_shares_follow_the_validation_auc():
    good, bad = KERNEL_MODELS[0], KERNEL_MODELS[5]
    found = recipe(made_up({(good, 3): 0.9, (bad, 2): 0.89}, {"trees": 0.9, "others": 0.88}))
    assert [part.model for part in found.kernels] == [good, bad]
    first, second = found.kernels
    assert set(first.factors) == {STRENGTHS[3]}
    assert second.share / first.share == pytest.approx(np.exp(-0.01 * SHARPNESS))
    assert first.share + second.share == pytest.approx(0.5)
    shares = {part.kind: part.share for part in found.trees}
    assert shares["others"] / shares["trees"] == pytest.approx(np.exp(-0.02 * SHARPNESS))
    assert sum(shares.values()) == pytest.approx(0.5)


def test_kernels_and_trees_share_by_the_best_of_either_group():
    good = {(KERNEL_MODELS[0], 3): 0.9}
    found = recipe(made_up(good, {"trees": 0.87}))
    ratio = found.trees[0].share / found.kernels[0].share
    assert ratio == pytest.approx(np.exp(-0.03 * SHARPNESS_OF_GROUPS))
    assert recipe(made_up(good, {"trees": 0.6})).trees == ()


def test_a_fitted_model_has_the_scores_of_its_path(rows):
    model = KernelModel("normal", "laplace", 1.4)
    factors = {STRENGTHS[4]: 2.0, STRENGTHS[6]: 0.5}
    ((_, path, scores),) = fit_paths([model], rows, rows.X, 1000, 0)
    fitted, found = fit_kernel_model(model, factors, rows, 1000, 0)
    assert found.gap < 1e-12
    assert found.kkt < 1e-10
    wanted = 2.0 * scores[4] + 0.5 * scores[6]
    assert fitted.score(rows.X) == pytest.approx(wanted, rel=1e-6)
    assert path.combined(factors).score(rows.X) == pytest.approx(wanted, rel=1e-9)


def test_the_average_is_the_sum_of_its_members(rows, comparison):
    found = recipe(comparison)
    average = fit_average(
        found, rows, kernel_rows=rows, n_landmarks=50, n_trees=20, seed=1, n_jobs=2
    )
    total = sum(
        member.share * member.place(member.function.score(rows.X)) for member in average.members
    )
    assert average.score(rows.X) == pytest.approx(total)
    assert sum(member.share for member in average.members) == pytest.approx(1.0)
    assert average.n_columns == 50 * len(found.kernels) + 20 * len(found.trees)


def test_the_average_of_a_fold_is_that_of_models_fitted_on_its_rows(rows, comparison):
    found = recipe(comparison)
    train, held_out = stratified_folds(rows, 1, 0)[0]
    again = fit_average(
        found,
        rows.only(train).merged(),
        kernel_rows=rows.only(train).merged(),
        n_landmarks=COMPARED_LANDMARKS,
        n_trees=COMPARED_TREES,
        seed=0,
        n_jobs=1,
    )
    scores = average_of_fold(found, comparison.folds[0]).score(rows.X[held_out])
    assert scores == pytest.approx(again.score(rows.X[held_out]), abs=1e-6)
    assert auc(scores, rows.only(held_out).pairs) > 0.8
