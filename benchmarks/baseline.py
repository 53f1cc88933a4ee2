"""The textbook way, as the baseline: all pairs in the linear program and in eager Adam steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack, identity, vstack
from scipy.spatial.distance import cdist
from sklearn.metrics import roc_auc_score

from smoothrank.arrays import Matrix, Vector

Solver = str


@dataclass(frozen=True)
class FullSolution:
    """An optimum of the full pair program: weights, the pairs' duals, and the value."""

    weights: Vector
    pair_duals: Vector
    objective: float


def pair_differences(columns: Matrix, is_positive: npt.NDArray[np.bool_]) -> Matrix:
    """Return D_p − D_n for every pair, one row per pair."""
    positive, negative = columns[is_positive], columns[~is_positive]
    differences = positive[:, None, :] - negative[None, :, :]
    return np.asarray(differences.reshape(-1, columns.shape[1]))


def solve_all_pairs(differences: Matrix, old: Vector, C: float, solver: Solver) -> FullSolution:
    """Solve the paper's linear program with one row and one slack variable for each pair."""
    n_pairs, n_weights = differences.shape
    n_old = len(old)
    cost = np.concatenate((np.zeros(n_weights), np.full(n_pairs, 1 / n_pairs), np.full(n_old, C)))
    margin = hstack((coo_matrix(differences), identity(n_pairs), coo_matrix((n_pairs, n_old))))
    pick, nothing = coo_matrix(np.eye(n_old, n_weights)), coo_matrix((n_old, n_pairs))
    rows = vstack(
        (
            margin,
            hstack((-pick, nothing, identity(n_old))),
            hstack((pick, nothing, identity(n_old))),
        )
    ).tocsr()
    right = np.concatenate((np.ones(n_pairs), -old, old))
    if solver == "gurobi":
        return _gurobi(cost, rows, right, n_weights, n_pairs)
    bounds = [(None, None)] * n_weights + [(0, None)] * (n_pairs + n_old)
    found = linprog(cost, A_ub=-rows, b_ub=-right, bounds=bounds, method="highs-ds")
    if found.status != 0:
        raise RuntimeError(found.message)
    duals = -np.asarray(found.ineqlin.marginals)[:n_pairs]
    return FullSolution(found.x[:n_weights], duals, float(found.fun))


def _gurobi(cost: Vector, rows: Any, right: Vector, n_weights: int, n_pairs: int) -> FullSolution:
    import gurobipy

    with (
        gurobipy.Env(params={"OutputFlag": 0, "Threads": 1}) as env,
        gurobipy.Model(env=env) as model,
    ):
        lower = np.where(np.arange(len(cost)) < n_weights, -np.inf, 0.0)
        x = model.addMVar(len(cost), lb=lower, obj=cost)
        constraints = model.addMConstr(rows, x, ">", right)
        model.Params.Method = 1
        model.optimize()
        return FullSolution(
            np.asarray(x.X)[:n_weights],
            np.asarray(constraints.Pi)[:n_pairs],
            float(model.ObjVal),
        )


def eager_adam(
    X: Matrix, is_positive: npt.NDArray[np.bool_], pair_duals: Vector, start: Vector, steps: int
) -> Vector:
    """Run Adam on |Σ π (‖x_p − q‖ − ‖x_n − q‖)| over all pairs, in eager TensorFlow steps."""
    import tensorflow as tf

    n_positive, n_negative = int(is_positive.sum()), int((~is_positive).sum())
    positive = tf.constant(np.repeat(X[is_positive], n_negative, axis=0))
    negative = tf.constant(np.tile(X[~is_positive], (n_positive, 1)))
    duals = tf.constant(pair_duals)
    q = tf.Variable(start)
    optimizer = tf.keras.optimizers.Adam(learning_rate=1e-3)
    best, best_value, last = start, 0.0, 1e-6
    for _ in range(steps):
        with tf.GradientTape() as tape:
            gap = tf.norm(positive - q, axis=1) - tf.norm(negative - q, axis=1)
            loss = -tf.abs(tf.reduce_sum(duals * gap))
        value = -float(loss)
        if value > best_value:
            best, best_value = q.numpy(), value
        optimizer.apply_gradients([(tape.gradient(loss, q), q)])
        if abs(value - last) < 1e-5 * last:
            break
        last = value
    return best


def textbook_fit(
    X: Matrix, is_positive: npt.NDArray[np.bool_], C: float, solver: Solver, max_prototypes: int
) -> tuple[int, float]:
    """Fit Smooth Ranking-CG Prototype the textbook way; return prototype count and training AUC."""
    rng = np.random.default_rng(12345)
    distances = cdist(X, X)
    to_rows = pair_differences(distances, is_positive)
    columns = np.empty((len(X), 0))
    prototype, weights, aucs = X[0], np.empty(0), list[float]()
    while True:
        raw = cdist(X, prototype[None])[:, 0]
        columns = np.column_stack((columns, (raw - raw.mean()) / raw.std()))
        solution = solve_all_pairs(pair_differences(columns, is_positive), weights, C, solver)
        weights = solution.weights
        aucs.append(float(roc_auc_score(is_positive, columns @ weights)))
        if len(aucs) >= max_prototypes or (
            len(aucs) > 1 and (aucs[-1] == 1.0 or abs(aucs[-1] - aucs[-2]) < 0.01 * aucs[-2])
        ):
            return len(weights), aucs[-1]
        row = int(np.argmax(np.abs(to_rows.T @ solution.pair_duals)))
        start = X[row] + rng.normal(0, 0.1, X.shape[1])
        prototype = eager_adam(X, is_positive, solution.pair_duals, start, 1000)
