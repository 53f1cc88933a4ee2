"""A solver that answers anything but an optimum: an error by name, and never a model."""

from dataclasses import replace

import numpy as np
import pytest

from smoothrank import (
    DictionaryRanking,
    L1Ranking,
    LInfRanking,
    RankingCGPrototype,
    SmoothRankingPrototype,
)
from smoothrank.solvers.lp import BACKENDS, Backend, SolverError, register_backend
from smoothrank.solvers.lp.highs import HighsProgram
from tests.support.registries import restored

ESTIMATORS = [
    SmoothRankingPrototype(adam_steps=50),
    RankingCGPrototype(adam_steps=50),
    L1Ranking(),
    LInfRanking(),
    DictionaryRanking(),
]


class Infeasible(HighsProgram):
    """A column that is at least 0 shall be below −1."""

    said = "Infeasible"

    def trouble(self):
        self._highs.changeColBounds(0, 0.0, np.inf)
        self._highs.addRow(-np.inf, -1.0, 1, np.array([0], dtype=np.int32), np.ones(1))


class Unbounded(HighsProgram):
    """A column without an upper bound is worth more the larger it is."""

    said = "nbounded"

    def trouble(self):
        self._highs.addCol(-1.0, 0.0, np.inf, 0, np.array([], dtype=np.int32), np.array([]))


class OutOfTime(HighsProgram):
    """There is no time at all."""

    said = "Time limit reached"

    def trouble(self):
        self._highs.setOptionValue("time_limit", 0.0)
        self._highs.clearSolver()


class OutOfSteps(HighsProgram):
    """There is not a single step of the simplex method."""

    said = "Iteration limit reached"

    def trouble(self):
        self._highs.setOptionValue("simplex_iteration_limit", 0)
        self._highs.clearSolver()


class NotANumber(HighsProgram):
    """It calls a point optimal that is none."""

    said = "not finite"

    def solve(self):
        found = super().solve()
        nothing = np.full_like(found.x, np.nan)
        return replace(found, x=nothing, duals=np.full_like(found.duals, np.nan), objective=np.nan)

    def trouble(self):
        pass


def troubled(kind, after):
    """A solver whose trouble begins after so many good answers of one linear program."""

    def make():
        program = kind()
        solve, left = program.solve, [after]

        def disturbed():
            left[0] -= 1
            if left[0] >= 0:
                return HighsProgram.solve(program)
            program.trouble()
            return solve()

        program.solve = disturbed
        return program

    return Backend("troubled", "Troubled", make)


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 3))
    return X, np.where(X[:, 0] + 0.7 * random.normal(size=60) > 0.7, 1, -1)


@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("kind", [Infeasible, Unbounded, OutOfTime, OutOfSteps, NotANumber])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_a_fit_is_an_error_by_name_and_no_model(rows, estimator, kind, after):
    with restored(BACKENDS):
        register_backend(troubled(kind, after))
        model = type(estimator)(**{**estimator.get_params(), "solver": "troubled"})
        with pytest.raises(SolverError, match=kind.said) as raised:
            model.fit(*rows)
    assert len(str(raised.value).splitlines()) == 1
    with pytest.raises(AttributeError):  # it has learnt nothing
        model.decision_function(rows[0])


@pytest.mark.parametrize("bad", [1e16, 1e200])
def test_a_number_that_the_solver_would_drop_is_an_error(bad):
    program = HighsProgram()
    program.add_columns(np.ones(2), np.zeros(2), np.full(2, np.inf), np.empty((0, 2)))
    with pytest.raises(SolverError, match="too large"):
        program.add_rows(np.array([[bad, 1.0]]), np.zeros(1))
    program.add_rows(np.ones((1, 2)), np.zeros(1))
    with pytest.raises(SolverError, match="too large"):
        program.add_columns(np.ones(1), np.zeros(1), np.ones(1), np.array([[bad]]))
