"""Which rows of a scored table are called positive, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from smoothrank.errors import SmoothrankError
from smoothrank.estimators.threshold import decision_threshold

if TYPE_CHECKING:
    import pandas as pd

    from smoothrank.tables.tabular_model import TabularModel


@dataclass(frozen=True)
class Rule:
    """How rows were called positive.

    Parameters
    ----------
    positive : str
        The label of the positive class.
    threshold : float or None
        The probability threshold; None where the highest scores were taken.
    top : int or None
        How many of the highest scores.
    tied : int
        How many rows with the lowest of these scores were not called positive.
    """

    positive: str
    threshold: float | None
    top: int | None = None
    tied: int = 0

    def sentence(self, n_positive: int, n_rows: int) -> str:
        """Return the rule in words, with an alternative where it puts all rows in one class."""
        if self.threshold is None:
            named = f"class {self.positive} for the {self.top} highest scores"
            if self.tied:
                named += f"; {self.tied} more have the lowest of these, and come later in the file"
            return named
        named = f"class {self.positive} at probability >= {self.threshold:.4g}"
        if n_positive == 0:
            named += f"; 0 of {n_rows} reach it: see --top, --cost-fn"
        elif n_positive == n_rows:
            named += f"; all of {n_rows} reach it: see --top, --cost-fp"
        return named


def with_threshold(
    model: TabularModel,
    threshold: float | None,
    cost_fp: float | None,
    cost_fn: float | None,
    top: int | None = None,
) -> TabularModel:
    """Return the model with another threshold, if one or costs are given.

    Raises
    ------
    SmoothrankError
        If more than one rule is given.
    """
    asked = decision_threshold(threshold, cost_fp, cost_fn)
    if asked is None:
        return model
    if top is not None:
        raise SmoothrankError("--top decides the class by itself; leave out threshold and costs")
    return replace(model, threshold=asked)


def decide_classes(model: TabularModel, scored: pd.DataFrame, top: int | None) -> Rule:
    """Call the highest scores positive, if a number of rows is given; return the rule used."""
    if top is None:
        return Rule(model.positive, model.threshold)
    if top < 1:
        raise SmoothrankError(f"--top must be at least 1, not {top}")
    score = scored["score"].to_numpy()
    best = np.argsort(-score, kind="stable")[:top]
    is_positive = np.isin(np.arange(len(score)), best)
    scored["class"] = np.where(is_positive, model.positive, model.negative).astype(object)
    tied = int(np.sum(~is_positive & (score == score[best[-1]])))
    return Rule(model.positive, None, top, tied)
