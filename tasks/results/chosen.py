"""The candidate that was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from smoothrank.selection.choice import Candidate
from tasks.results.search import SearchRecord


@dataclass(frozen=True)
class Chosen:
    """The chosen candidate, and how good all candidates are on validation rows.

    Parameters
    ----------
    value, scale : float, str or None
        The candidate: C, or whatever the method's parameter is, and the scaling.
    n_prototypes : int or None
        How many prototypes to stop at; None to let the method stop by itself.
    cv_auc_mean, cv_auc_std : float
        Its validation AUC over folds.
    cv_auc : mapping of Candidate to float
        The mean validation AUC of each candidate, over the folds that it has.
    search : SearchRecord or None
        What was tried and what was left out, if there was a search.
    """

    value: float
    scale: str | None
    n_prototypes: int | None
    cv_auc_mean: float
    cv_auc_std: float
    cv_auc: Mapping[Candidate, float]
    search: SearchRecord | None = None

    @property
    def candidate(self) -> Candidate:
        """The value and the scaling."""
        return self.value, self.scale
