"""A dictionary of columns, its pricing, and the certificate over all of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank.arrays import Vector
from smoothrank.columns import family
from smoothrank.columns.distinct_rows import Rows, distinct_rows
from smoothrank.columns.feature_scaling import fit_scaler
from smoothrank.losses.pairwise_hinge import Pairs, pairwise_hinge
from smoothrank.solvers.column_generation import uniform_duals
from smoothrank.solvers.dictionary.dictionary import Dictionary
from smoothrank.solvers.dictionary.generation import DictionaryGeneration
from smoothrank.solvers.dictionary.refinement import atom_of, cost_gradient, refined
from tests.support.oracles.naive import naive_hinge, pair_program, solve_with_highs
from tests.support.problems import Problem, problems

FAMILIES = ("distance", "weighted-distance", "manhattan", "gaussian", "laplace", "feature", "step")
ENOUGH = 400


def rows_of(problem: Problem) -> Rows:
    return distinct_rows(problem.D, problem.is_positive, problem.weight, keep_order=False)


def dictionary_of(rows: Rows, names: tuple[str, ...] = FAMILIES) -> Dictionary:
    scalers = [fit_scaler(view, rows.X, rows.weight) for view in ("standard", "normal")]
    points = np.arange(len(rows.X))
    return Dictionary.build(rows, scalers, [family(name) for name in names], points)


def generated(
    rows: Rows, dictionary: Dictionary, C: float, *, most: int = ENOUGH, refine: bool = False
) -> DictionaryGeneration:
    pairs = Pairs.from_labels(rows.is_positive, rows.weight)
    generation = DictionaryGeneration(
        dictionary, pairs, rows.weight, C,
        solver="highs", tol=1e-7, max_columns=most, refine=refine,
    )  # fmt: skip
    generation.run()
    return generation


def full_optimum(rows: Rows, dictionary: Dictionary, C: float) -> float:
    """Return the least R(Z w) + C ‖w‖₁ by the linear program over all pairs and columns."""
    nothing = np.zeros(dictionary.n_columns)
    program = pair_program(dictionary.columns, rows.is_positive, rows.weight, C, nothing)
    return float(solve_with_highs(program)[0])


@settings(deadline=None, max_examples=40)
@given(problem=problems(max_columns=3), C=st.sampled_from([0.003, 0.03, 0.3, 2.0]))
def test_the_certified_optimum_is_that_of_the_program_with_all_columns(problem: Problem, C: float):
    rows = rows_of(problem)
    dictionary = dictionary_of(rows)
    generation = generated(rows, dictionary, C)
    expected = full_optimum(rows, dictionary, C)
    assert generation.gap <= 1e-7
    assert generation.objective == pytest.approx(expected, abs=1e-6)
    assert generation.lower_bound <= expected + 1e-8


@settings(deadline=None, max_examples=40)
@given(
    problem=problems(max_columns=3),
    C=st.sampled_from([0.003, 0.03, 0.3]),
    most=st.integers(1, 3),
    refine=st.booleans(),
)
def test_a_search_that_ended_early_is_bounded_by_its_gap(
    problem: Problem, C: float, most: int, refine: bool
):
    rows = rows_of(problem)
    dictionary = dictionary_of(rows)
    generation = generated(rows, dictionary, C, most=most, refine=refine)
    expected = full_optimum(rows, dictionary, C)
    assert generation.lower_bound <= expected + 1e-8
    allowed = generation.gap * max(generation.objective, 1e-3)
    assert generation.objective - expected <= allowed + 1e-9
    assert len(generation.atoms) <= most


def test_the_objective_is_that_of_the_weights():
    rows, dictionary = noisy()
    generation = generated(rows, dictionary, 0.05, most=6)
    scores = np.column_stack([atom.column for atom in generation.atoms]) @ generation.weights
    loss = naive_hinge(scores, rows.is_positive, rows.weight)
    penalty = 0.05 * np.abs(generation.weights).sum()
    assert generation.objective == pytest.approx(loss + penalty)


def test_reduced_costs_are_those_of_the_columns_one_by_one():
    rows, dictionary = noisy()
    duals = uniform_duals(Pairs.from_labels(rows.is_positive, rows.weight))
    costs = dictionary.reduced_costs(duals)
    assert len(costs) == dictionary.n_columns == dictionary.starts[-1]
    for number in range(0, dictionary.n_columns, 7):
        atom = dictionary.atom(number)
        again = atom_of(dictionary.sources[atom.source], atom.source, atom.parameters, rows.weight)
        assert again.column == pytest.approx(atom.column)
        assert (again.mean, again.spread) == pytest.approx((atom.mean, atom.spread))
        assert costs[number] == pytest.approx(duals @ again.column)


def test_the_families_are_priced_side_by_side_and_the_best_column_is_taken():
    rows, dictionary = noisy()
    generation = generated(rows, dictionary, 0.02, most=8)
    duals = uniform_duals(Pairs.from_labels(rows.is_positive, rows.weight))
    best = np.abs(dictionary.reduced_costs(duals)).max()
    assert generation.history[0].reduced_cost == pytest.approx(best)
    assert len({step.family for step in generation.history}) > 1
    objectives = [step.objective for step in generation.history]
    assert objectives == sorted(objectives, reverse=True)


def test_a_family_that_ignores_scaling_is_there_once():
    _, dictionary = noisy()
    sources = [source.family.name for source in dictionary.sources]
    assert sources.count("step") == 1
    assert sources.count("gaussian") == 2


@pytest.mark.parametrize("name", ["weighted-distance", "manhattan", "gaussian", "laplace"])
def test_refining_raises_the_reduced_cost(name):
    rows, dictionary = noisy((name,))
    pairs = Pairs.from_labels(rows.is_positive, rows.weight)
    duals = pairwise_hinge(rows.X[:, 0], pairs).coefficients
    number = int(np.argmax(np.abs(dictionary.reduced_costs(duals))))
    atom = dictionary.atom(number)
    better = refined(atom, dictionary.sources[atom.source], duals, rows.weight)
    assert abs(duals @ better.column) > 1.05 * abs(duals @ atom.column)


@pytest.mark.parametrize("name", ["feature", "step"])
def test_columns_of_one_feature_have_nothing_to_refine(name):
    rows, dictionary = noisy((name,))
    duals = uniform_duals(Pairs.from_labels(rows.is_positive, rows.weight))
    atom = dictionary.atom(0)
    assert refined(atom, dictionary.sources[0], duals, rows.weight) is atom


def test_the_gradient_of_the_reduced_cost_is_the_one_that_is_climbed():
    rows, dictionary = noisy(("gaussian",))
    duals = uniform_duals(Pairs.from_labels(rows.is_positive, rows.weight))
    source, atom = dictionary.sources[0], dictionary.atom(3)

    def cost(parameters: Vector) -> float:
        return float(duals @ atom_of(source, 0, parameters, rows.weight).column)

    found = cost_gradient(atom, source, duals, rows.weight)
    for place in range(len(atom.parameters)):
        step = np.zeros_like(atom.parameters)
        step[place] = 1e-5
        slope = (cost(atom.parameters + step) - cost(atom.parameters - step)) / 2e-5
        assert found[place] == pytest.approx(slope, abs=1e-6)


def noisy(names: tuple[str, ...] = FAMILIES) -> tuple[Rows, Dictionary]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3)) * [1.0, 5.0, 0.1]
    is_positive = (X[:, 0] ** 2 + 0.2 * X[:, 1] + 0.3 * rng.normal(size=60)) > 1.2
    weight = rng.integers(1, 4, 60).astype(float)
    rows = distinct_rows(X, is_positive, weight, keep_order=False)
    return rows, dictionary_of(rows, names)
