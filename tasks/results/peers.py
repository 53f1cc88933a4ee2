"""Other models on the same rows, and how the model compares with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class FittedPeer:
    """A fitted peer.

    Parameters
    ----------
    name : str
        A key of `tasks.assessment.peers.NAMES`.
    probability : numpy.ndarray
        The probabilities that it gives the test rows.
    seconds : float
        How long fit and prediction took.
    """

    name: str
    probability: npt.NDArray[np.float64]
    seconds: float


@dataclass(frozen=True)
class Peer:
    """A peer on the test rows, and the model against it.

    Parameters
    ----------
    name : str
        A key of `tasks.assessment.peers.NAMES`.
    test_auc, test_average_precision, test_brier : float
        How good it is.
    seconds : float
        How long its fit took.
    n_train : int
        Rows that it was trained on.
    difference : float
        The model's AUC minus the peer's.
    p : float
        Two-sided p-value of no difference, by DeLong's paired test.
    """

    name: str
    test_auc: float
    test_average_precision: float
    test_brier: float
    seconds: float
    n_train: int
    difference: float
    p: float
