"""What a search tried, and what it left out."""

from __future__ import annotations

from dataclasses import dataclass

from smoothrank.selection.halving import HalvingRound


@dataclass(frozen=True)
class DroppedCandidate:
    """A candidate that was dropped.

    Parameters
    ----------
    value, scale : float, str or None
        The candidate.
    round : int
        The round that was its last, from 1 on; 0 if it was never tried.
    cv_auc : float or None
        Its mean validation AUC on the folds of that round.
    behind : float or None
        By how much the best candidate of that round was better.
    """

    value: float
    scale: str | None
    round: int
    cv_auc: float | None
    behind: float | None


@dataclass(frozen=True)
class SearchRecord:
    """What was tried, and what was left out.

    Parameters
    ----------
    budget : float or None
        Seconds that the run may take; None where the rule of selection has no budget.
    seconds : float
        Wall time of the search.
    n_rows, n_train : int
        Rows that candidates were compared on, and rows of the training part.
    n_fits, n_fits_of_all : int
        Fits that were made, and those of all candidates on all folds.
    rounds : tuple of HalvingRound
        Candidates and folds of each round that was begun.
    left_out : tuple of DroppedCandidate
        Candidates that are not among the finalists.
    n_finalists, n_folds : int
        Candidates that the choice was made among, and the folds that they have in common.
    ended_early : bool
        Whether the budget ran out before the plan was finished.
    """

    budget: float | None
    seconds: float
    n_rows: int
    n_train: int
    n_fits: int
    n_fits_of_all: int
    rounds: tuple[HalvingRound, ...]
    left_out: tuple[DroppedCandidate, ...]
    n_finalists: int
    n_folds: int
    ended_early: bool
