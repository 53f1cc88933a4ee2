import logging
import subprocess
import sys

import numpy as np
import pytest

from smoothrank.solvers.lp import (
    Capacity,
    LicenceError,
    SolverError,
    choose_solver,
    linear_program,
    say_once,
)
from smoothrank.solvers.lp.gurobi import SIZE_LIMIT, GurobiProgram, licence
from smoothrank.solvers.lp.highs import HighsProgram

PROGRAMS = [GurobiProgram, HighsProgram]


def small(program):
    """min x + 2y  s.t.  x + y ≥ 2,  x ≥ 0,  0 ≤ y ≤ 3."""
    program.add_columns(
        np.array([1.0, 2.0]), np.zeros(2), np.array([np.inf, 3.0]), np.empty((0, 2))
    )
    program.add_rows(np.array([[1.0, 1.0]]), np.array([2.0]))
    return program


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_small_program_and_its_duals(program):
    solution = small(program()).solve()
    assert solution.x == pytest.approx([2.0, 0.0])
    assert solution.duals == pytest.approx([1.0])
    assert solution.objective == pytest.approx(2.0)


@pytest.mark.parametrize("program", PROGRAMS)
def test_rows_and_columns_come_change_and_go(program):
    lp = small(program())
    lp.solve()
    lp.add_rows(np.array([[-1.0, 1.0], [0.0, 1.0]]), np.array([-1.0, 0.25]))
    assert lp.solve().x == pytest.approx([1.5, 0.5])
    lp.delete_rows(np.array([1]))
    assert lp.n_rows == 2
    assert lp.solve().x == pytest.approx([1.75, 0.25])
    lp.add_columns(np.array([0.1]), np.zeros(1), np.array([1.0]), np.array([[1.0], [0.0]]))
    assert lp.solve().x == pytest.approx([0.75, 0.25, 1.0])
    lp.change_column(2, 5.0, 0.0, 1.0)
    lp.change_rows(np.array([4.0, -1.0]))
    solution = lp.solve()
    assert solution.x == pytest.approx([4.0, 0.0, 0.0])
    assert solution.duals == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_infeasible_program_is_an_error_by_name(program):
    lp = small(program())
    lp.add_rows(np.array([[-1.0, -1.0]]), np.array([-1.0]))
    with pytest.raises(SolverError, match=r"(HiGHS|Gurobi) stopped with status"):
        lp.solve()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(program, bad):
    lp = small(program())
    with pytest.raises(SolverError, match="not finite"):
        lp.add_rows(np.array([[bad, 1.0]]), np.zeros(1))
    with pytest.raises(SolverError, match="not finite"):
        lp.add_columns(np.array([bad]), np.zeros(1), np.ones(1), np.ones((1, 1)))


def test_gurobi_says_when_the_licence_is_too_small():
    if licence().size_limit is None:
        pytest.skip("Gurobi's licence here has no size limit")
    lp = GurobiProgram()
    n = SIZE_LIMIT + 1
    lp.add_columns(np.ones(n), np.zeros(n), np.ones(n), np.empty((0, n)))
    with pytest.raises(LicenceError, match="solver='highs'"):
        lp.solve()


def test_auto_takes_gurobi_where_its_licence_carries_the_problem(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("smoothrank.solvers.lp.gurobi.licence", lambda: Capacity(True, 2000))
    say_once.cache_clear()
    with caplog.at_level(logging.INFO, "smoothrank.solvers.lp"):
        assert choose_solver("auto", 2000, 2000) == "gurobi"
        assert choose_solver("auto", 2001, 10) == "highs"
        assert choose_solver("auto", 10, 2001) == "highs"
    assert [record.levelname for record in caplog.records] == ["INFO", "INFO"]
    assert "2000 columns" in caplog.text


def test_auto_takes_highs_without_gurobi_and_says_why_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(
        "smoothrank.solvers.lp.gurobi.licence", lambda: Capacity(False, None, "no licence found")
    )
    say_once.cache_clear()
    with caplog.at_level(logging.INFO, "smoothrank.solvers.lp"):
        for _ in range(3):
            assert linear_program("auto", 1, 1).name == "highs"
    assert caplog.messages == ["Linear programs are solved by HiGHS: no licence found."]


def test_gurobi_without_a_licence_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "smoothrank.solvers.lp.gurobi.licence", lambda: Capacity(False, None, "no licence found")
    )
    with pytest.raises(LicenceError, match=r"no licence found.*solver='highs'"):
        GurobiProgram()


@pytest.mark.parametrize("solver", ["gurobi", "highs"])
def test_a_fit_prints_nothing(solver: str):
    code = (
        "import numpy as np; from smoothrank import SmoothRankingPrototype; "
        "rng = np.random.default_rng(0); X = rng.standard_normal((40, 2)); "
        f"SmoothRankingPrototype(solver='{solver}', max_prototypes=2).fit(X, X[:, 0] > 1)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("", "")
