import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank.columns import family
from smoothrank.columns.families.distance import Distance
from smoothrank.solvers import pricing
from smoothrank.solvers.pricing import Pricing as AnyPricing

DISTANCE = family("distance")
screen = Distance().screened_starts


def Pricing(X, rng, **settings):  # noqa: N802
    return AnyPricing(DISTANCE, X, rng, **settings)


class CountingDistance(Distance):
    """Counts how often it is traced by TensorFlow, and asked where the search may start."""

    name = "counting-distance"

    def __init__(self):
        self.traced = self.asked = 0

    def tensor_price(self, X, duals, q):
        self.traced += 1
        return super().tensor_price(X, duals, q)

    def starts(self, X):
        self.asked += 1
        return super().starts(X)


def price_at(points, X, duals):
    return DISTANCE.prices(X, duals, points)


def problem(n: int = 60, d: int = 3, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * [5.0, 1.0, 0.2][:d]
    duals = np.where(rng.random(n) < 0.3, 1.0, -1.0) * rng.random(n)
    duals[duals > 0] /= duals[duals > 0].sum()
    duals[duals < 0] /= -duals[duals < 0].sum()
    return X, duals


def eager_adam(X, duals, start, steps, rate):
    """The sub-problem step by step in NumPy, as the paper describes it."""
    q, best, best_value, last = start.copy(), start, -1.0, 0.0
    m, v = np.zeros_like(q), np.zeros_like(q)
    for k in range(1, steps + 2):
        difference = q - X
        distance = np.linalg.norm(difference, axis=1)
        g = duals @ distance
        gradient = np.sign(g) * (duals / np.where(distance == 0, np.inf, distance)) @ difference
        m = 0.9 * m + 0.1 * gradient
        v = 0.999 * v + 0.001 * gradient**2
        q = q + rate * np.sqrt(1 - 0.999**k) / (1 - 0.9**k) * m / (np.sqrt(v) + 1e-7)
        if abs(g) > best_value:
            best, best_value = q.copy(), abs(g)
        if abs(abs(g) - last) < 1e-5 * last:
            break
        last = abs(g)
    return best, abs(duals @ np.linalg.norm(X - best, axis=1))


@pytest.mark.parametrize("seed", range(4))
def test_compiled_loop_equals_adam_step_by_step(seed: int):
    X, duals = problem(seed=seed)
    priced = Pricing(X, np.random.default_rng(7), adam_steps=300, learning_rate=0.01).price(duals)
    values = np.abs([duals @ np.linalg.norm(X - row, axis=1) for row in X])
    start = X[np.argmax(values)] + np.random.default_rng(7).normal(0, 0.1, X.shape[1])
    best, value = eager_adam(X, duals, start, 300, 0.01)
    assert priced.value == pytest.approx(value, rel=1e-6)
    assert priced.parameters == pytest.approx(best, abs=1e-3)


def test_the_price_is_g_at_the_prototype_and_no_worse_than_the_start():
    X, duals = problem()
    priced = Pricing(X, np.random.default_rng(0), adam_steps=500, learning_rate=1e-2).price(duals)
    assert priced.value == pytest.approx(abs(price_at(priced.parameters[None], X, duals)[0]))
    rng = np.random.default_rng(0)
    start = X[Pricing(X, rng, adam_steps=1, learning_rate=1).best_row(duals)]
    start = start + np.random.default_rng(0).normal(0, 0.1, 3)
    assert priced.value >= abs(price_at(start[None], X, duals)[0])


def test_no_more_steps_return_the_first():
    X, duals = problem()
    rng = np.random.default_rng(3)
    priced = Pricing(X, rng, adam_steps=0, learning_rate=1e-3).price(duals)
    row = Pricing(X, rng, adam_steps=0, learning_rate=1e-3).best_row(duals)
    start = X[row] + np.random.default_rng(3).normal(0, 0.1, 3)
    assert np.abs(priced.parameters - start) == pytest.approx(np.full(3, 1e-3), rel=1e-3)


def test_zero_distance_is_safe(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pricing, "START_NOISE", 0.0)
    X, duals = problem()
    priced = Pricing(X, np.random.default_rng(0), adam_steps=50, learning_rate=1e-3).price(duals)
    assert np.all(np.isfinite(priced.parameters))
    assert np.isfinite(priced.value)


def test_a_far_away_origin_changes_nothing():
    X, duals = problem()
    near = Pricing(X, np.random.default_rng(0), adam_steps=300, learning_rate=1e-2).price(duals)
    far = Pricing(X + 1e4, np.random.default_rng(0), adam_steps=300, learning_rate=1e-2)
    assert far.price(duals).parameters - 1e4 == pytest.approx(near.parameters, abs=1e-5)


def test_the_loop_is_traced_once_for_all_sizes():
    counting, traced = CountingDistance(), []
    for n, d in ((20, 2), (150, 3), (90, 1)):
        X, duals = problem(n, d)
        rng = np.random.default_rng(0)
        AnyPricing(counting, X, rng, adam_steps=3, learning_rate=1e-3).price(duals)
        traced.append(counting.traced)
    assert traced == [traced[0]] * 3
    assert traced[0] > 0


@pytest.mark.parametrize("seed", range(3))
def test_of_many_rows_the_best_is_found_by_an_estimate(seed: int):
    rng = np.random.default_rng(seed)
    n = 6000
    X = rng.standard_normal((n, 3))
    X[17] = [9.0, -9.0, 9.0]
    is_positive = rng.random(n) < 0.1
    X[is_positive, 0] += 1.0
    duals = np.where(is_positive, 1 / is_positive.sum(), -1 / (~is_positive).sum())
    search = Pricing(X, rng, adam_steps=1, learning_rate=1e-3)
    found = search.best_row(duals)
    assert len(search.candidates(duals, exact=False)) == pricing.SHORT_LIST
    assert found == np.argmax(np.abs(price_at(X, X, duals)))


@pytest.mark.parametrize("far", [0.0, 1e3])
@pytest.mark.parametrize("seed", range(3))
def test_asked_to_be_exact_it_finds_the_best_of_many_rows(seed: int, far: float):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((5000, 6)) + far
    X[seed] *= 1.0 + 5.0 * (far > 0)
    is_positive = rng.random(5000) < 0.3
    duals = np.where(is_positive, 1 / is_positive.sum(), -1 / (~is_positive).sum())
    search = Pricing(X, rng, adam_steps=1, learning_rate=1e-3)
    best = np.argmax(np.abs(price_at(X - X.mean(axis=0), X - X.mean(axis=0), duals)))
    assert search.best_row(duals, exact=True) == best


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), spread=st.floats(1e-3, 1e3), d=st.integers(1, 40))
def test_the_screen_is_within_its_error(seed: int, spread: float, d: int):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((700, d)) * spread ** rng.random(d)
    X[350:400] = X[300:350]
    duals = rng.standard_normal(700)
    values, error = screen(X, duals)
    assert np.abs(values - np.abs(price_at(X, X, duals))).max() <= error


def test_the_screen_knows_what_cancellation_costs():
    X = 1.0 + np.repeat(np.random.default_rng(0).random((20, 200)), 30, axis=0)
    duals = np.zeros(600)
    duals[0] = 1.0
    values, error = screen(X, duals)
    off = np.abs(values - np.abs(price_at(X, X, duals))).max()
    assert 0.0 < off <= error


def test_far_from_the_origin_the_screen_still_tells_rows_apart():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((5000, 3)) + 1e4
    is_positive = rng.random(5000) < 0.1
    X[is_positive, 0] += 2.0
    duals = np.where(is_positive, 1 / is_positive.sum(), -1 / (~is_positive).sum())
    search = Pricing(X, rng, adam_steps=1, learning_rate=1e-3)
    assert len(search.candidates(duals, exact=True)) < 500


def test_the_estimate_weighs_the_classes_as_the_duals_do():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6000, 2))
    is_positive = np.arange(6000) < 600
    X[is_positive, 0] += 3.0
    X[-1500:, 1] += 40.0
    X[17] = [15.0, 0.0]
    duals = np.where(is_positive, 1 / 600, -1 / 3900)
    duals[-1500:] = 0.0
    search = Pricing(X, rng, adam_steps=1, learning_rate=1e-3)
    assert 17 in search.candidates(duals, exact=False)


def test_without_duals_there_is_still_a_row():
    X, duals = problem(3000, 3)
    assert (
        Pricing(X, np.random.default_rng(0), adam_steps=1, learning_rate=1).best_row(0 * duals) == 0
    )


@pytest.mark.parametrize(
    ("size", "smallest", "padded"), [(1, 4, 4), (5, 4, 6), (7, 4, 8), (9, 4, 12), (1113, 64, 1536)]
)
def test_sizes_are_padded_to_few(size: int, smallest: int, padded: int):
    assert pricing.padded_size(size, smallest) == padded


def test_what_is_asked_again_is_not_worked_out_again_and_other_rows_are():
    rng = np.random.default_rng(3)
    X, duals = rng.normal(size=(40, 3)), rng.normal(size=40)
    counting = CountingDistance()

    def price(rows, weights, seed=0, steps=50):
        rng = np.random.default_rng(seed)
        search = AnyPricing(counting, rows, rng, adam_steps=steps, learning_rate=1e-3)
        return search.price(weights)

    first, asked_once = price(X, duals), counting.asked
    again = price(X.copy(), duals.copy())
    assert again is first
    assert counting.asked == asked_once > 0
    for number, other in enumerate(
        ((X + 1.0, duals), (X, -duals), (X, duals, 1), (X, duals, 0, 49)), start=2
    ):
        price(*other)
        assert counting.asked == number * asked_once
