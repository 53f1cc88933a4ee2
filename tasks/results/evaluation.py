"""How good a model is on the held-out rows."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.results.confusion import Confusion


@dataclass(frozen=True)
class Evaluation:
    """How good the model is, and what it is made of.

    Parameters
    ----------
    test_auc, test_auc_low, test_auc_high : float
        AUC on the test part and its 95 % interval, by DeLong's method.
    n_prototypes : int
        Prototypes, or training rows, with |w| ≥ 0.001.
    features_used_pct : float
        The same in per cent of the distances that all training rows would give.
    gap : float
        The largest optimality gap of the fit; NaN where a method does not report one.
    kkt_residual : float
        How far the fit is from meeting the KKT conditions; NaN where a method does not report it.
    train_auc_by_iteration, test_auc_by_iteration : tuple of float
        AUC after each prototype; one number for a method without iterations.
    solver : str
        The solver of the linear programs.
    test_average_precision, test_brier, test_recall_at_precision : float
        See `tasks.assessment.measures.Measures`; the precision is that of `params.yaml`.
    precision : float
        The precision at which the recall is measured.
    threshold : float
        The probability at or above which a row is called positive.
    confusion : Confusion
        The test rows by class and by what the model says.
    """

    test_auc: float
    test_auc_low: float
    test_auc_high: float
    n_prototypes: int
    features_used_pct: float
    gap: float
    kkt_residual: float
    train_auc_by_iteration: tuple[float, ...]
    test_auc_by_iteration: tuple[float, ...]
    solver: str
    test_average_precision: float
    test_brier: float
    test_recall_at_precision: float
    precision: float
    threshold: float
    confusion: Confusion
