"""The textbook versions, pair by pair: oracles for the fast ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack, identity, vstack

from smoothrank.arrays import Matrix, Vector


def pair_weights(is_positive: npt.NDArray[np.bool_], weight: Vector) -> Matrix:
    u, v = weight[is_positive], weight[~is_positive]
    return np.outer(u / u.sum(), v / v.sum())


def naive_hinge(scores: Vector, is_positive: npt.NDArray[np.bool_], weight: Vector) -> float:
    margin = scores[is_positive][:, None] - scores[~is_positive][None, :]
    return float(np.sum(pair_weights(is_positive, weight) * np.maximum(0.0, 1.0 - margin)))


def naive_auc(scores: Vector, is_positive: npt.NDArray[np.bool_], weight: Vector) -> float:
    margin = scores[is_positive][:, None] - scores[~is_positive][None, :]
    return float(np.sum(pair_weights(is_positive, weight) * ((margin > 0) + 0.5 * (margin == 0))))


@dataclass(frozen=True)
class PairProgram:
    """The full linear program over all pairs: min Σ π̄ ξ + C Σ_{t<T} s_t, in the form of linprog."""

    cost: Vector
    rows: Any
    right: Vector
    bounds: list[tuple[float | None, float | None]]
    n_weights: int


def pair_program(
    D: Matrix,
    is_positive: npt.NDArray[np.bool_],
    weight: Vector,
    C: float,
    old: Vector | None,
    bound: float | None = None,
) -> PairProgram:
    positive, negative = D[is_positive], D[~is_positive]
    differences = (positive[:, None, :] - negative[None, :, :]).reshape(-1, D.shape[1])
    n_pairs, T = differences.shape
    n_old = 0 if old is None else len(old)
    margin = hstack([coo_matrix(-differences), -identity(n_pairs), coo_matrix((n_pairs, n_old))])
    blocks, right = [margin], [-np.ones(n_pairs)]
    if old is not None and n_old:
        pick = coo_matrix(np.eye(n_old, T))
        nothing = coo_matrix((n_old, n_pairs))
        blocks += [
            hstack([pick, nothing, -identity(n_old)]),
            hstack([-pick, nothing, -identity(n_old)]),
        ]
        right += [old, -old]
    return PairProgram(
        np.concatenate((np.zeros(T), pair_weights(is_positive, weight).ravel(), np.full(n_old, C))),
        vstack(blocks).tocsr(),
        np.concatenate(right),
        [(None if bound is None else -bound, bound)] * T + [(0.0, None)] * (n_pairs + n_old),
        T,
    )


def solve_with_highs(program: PairProgram) -> tuple[float, Vector]:
    found = linprog(
        program.cost,
        A_ub=program.rows,
        b_ub=program.right,
        bounds=program.bounds,
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9},
    )
    assert found.status == 0, found.message
    return float(found.fun), found.x[: program.n_weights]


def solve_with_gurobi(program: PairProgram) -> tuple[float, Vector]:
    import gurobipy

    with (
        gurobipy.Env(params={"OutputFlag": 0}) as env,
        gurobipy.Model(env=env) as model,
    ):
        low = np.array([-np.inf if b[0] is None else b[0] for b in program.bounds])
        high = np.array([np.inf if b[1] is None else b[1] for b in program.bounds])
        x = model.addMVar(len(program.cost), lb=low, ub=high, obj=program.cost)
        model.addMConstr(program.rows, x, "<", program.right)
        model.Params.FeasibilityTol = model.Params.OptimalityTol = 1e-9
        model.optimize()
        return float(model.ObjVal), np.asarray(x.X)[: program.n_weights]


def naive_squared_hinge(
    scores: Vector, is_positive: npt.NDArray[np.bool_], weight: Vector
) -> float:
    margin = scores[is_positive][:, None] - scores[~is_positive][None, :]
    return float(
        0.5 * np.sum(pair_weights(is_positive, weight) * np.maximum(0.0, 1.0 - margin) ** 2)
    )
