"""The results of all methods side by side: means, ranks and tests, as data frames.

Methods are compared on the splits that all of them have results for. The AUC of a method on a data
set is its mean over those splits; ranks and tests take one number per data set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from benchmarks.peers.participants import PARTICIPANTS
from benchmarks.peers.results import Line
from smoothrank.errors import SmoothrankError
from smoothrank.evaluation.rank_tests import average_ranks, holm, wilcoxon

LEAST_SHARE = 0.5
"""A method with fewer than this share of the splits of the fullest one is left out."""

ROUNDING = 12


@dataclass(frozen=True)
class Comparison:
    """Several methods on the same splits.

    Parameters
    ----------
    lines : DataFrame
        The results, a row for each method, data set and seed; every split has all methods.
    chosen : str
        The method that is tested against every other.
    left_out : tuple of str
        Methods with too few results to be compared.
    n_incomplete : int
        Splits that some method has no result for.
    """

    lines: pd.DataFrame
    chosen: str
    left_out: tuple[str, ...] = ()
    n_incomplete: int = 0

    @cached_property
    def auc(self) -> pd.DataFrame:
        """Mean test AUC over the splits: a row for each data set, a column for each method."""
        return self._wide("test_auc").round(ROUNDING)

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """Mean size, in the same form."""
        return self._wide("size")

    @property
    def n_splits(self) -> int:
        """How many splits there are, of all data sets."""
        return len(self.lines[["dataset", "seed"]].drop_duplicates())

    def _wide(self, column: str) -> pd.DataFrame:
        return self.lines.pivot_table(
            index="dataset", columns="method", values=column, aggfunc="mean", dropna=False
        )

    def tests(self) -> pd.DataFrame:
        """Return the tests of the chosen method against every other, corrected by Holm.

        Wins, ties and losses are data sets in which the chosen method is better, equal, worse.
        """
        others = [name for name in self.auc.columns if name != self.chosen]
        ours = self.auc[self.chosen]
        p_values = [wilcoxon(ours, self.auc[name]) for name in others]
        return pd.DataFrame(
            {
                "wins": [int((ours > self.auc[name]).sum()) for name in others],
                "ties": [int((ours == self.auc[name]).sum()) for name in others],
                "losses": [int((ours < self.auc[name]).sum()) for name in others],
                "p": p_values,
                "p, Holm": holm(p_values),
            },
            index=pd.Index(others, name="method"),
        )

    def summary(self) -> pd.DataFrame:
        """Return a row for each method, the best average rank first."""
        by_method = self.lines.groupby("method")
        ranks = pd.Series(average_ranks(self.auc), self.auc.columns)
        counted = pd.DataFrame(
            {
                "mean AUC": self.auc.mean().round(4),
                "average rank": ranks.round(2),
                "mean size": self.sizes.mean().round(1),
                "median size": by_method["size"].median(),
                "size counts": pd.Series({name: counts(name) for name in self.auc.columns}),
                "mean Brier": by_method["brier"].mean().round(4),
                "median seconds": by_method["seconds"].median().round(2),
            }
        )
        order = ["average rank", "mean AUC"]
        joined = counted.join(self.tests()).sort_values(order, ascending=[True, False])
        return joined.rename_axis("method")


def compare(
    lines: Sequence[Line], chosen: str | None = None, methods: Sequence[str] | None = None
) -> Comparison:
    """Return the comparison of methods, by default of all that have enough results.

    Without a chosen method it is `smoothrank-best`, or else the one of highest mean AUC.

    Raises
    ------
    SmoothrankError
        If there is too little to compare, or the chosen method has no results.
    """
    frame = pd.DataFrame([vars(line) for line in lines], columns=list(Line.__dataclass_fields__))
    frame = frame.astype({"cv_auc": float, "brier": float})
    if methods is not None:
        frame = frame[frame["method"].isin(methods)]
    frame = frame.drop_duplicates(["dataset", "seed", "method"], keep="last")
    n_results = frame["method"].value_counts()
    few = tuple(sorted(n_results.index[n_results < LEAST_SHARE * n_results.max()]))
    frame = frame[~frame["method"].isin(few)]
    n_methods = frame["method"].nunique()
    n_of_split = frame.groupby(["dataset", "seed"])["method"].transform("nunique")
    whole = frame[n_of_split == n_methods]
    n_all = len(frame[["dataset", "seed"]].drop_duplicates())
    if n_methods < 2 or whole["dataset"].nunique() < 2:
        raise SmoothrankError(
            "a comparison needs two methods with results on the same splits of two data sets; run "
            "`python -m benchmarks.peers` first"
        )
    n_whole = len(whole[["dataset", "seed"]].drop_duplicates())
    return Comparison(whole, _chosen(whole, chosen), few, n_all - n_whole)


def _chosen(frame: pd.DataFrame, asked: str | None) -> str:
    known = set(frame["method"])
    if asked is not None and asked not in known:
        raise SmoothrankError(
            f"there are too few results of {asked!r}; known are {', '.join(sorted(known))}"
        )
    if asked is not None:
        return asked
    if "smoothrank-best" in known:
        return "smoothrank-best"
    return str(frame.groupby("method")["test_auc"].mean().idxmax())


def label(name: str) -> str:
    """Return the name of a method for tables and figures."""
    return PARTICIPANTS[name].label if name in PARTICIPANTS.names() else name


def counts(name: str) -> str:
    """Return what the size of a method counts."""
    return PARTICIPANTS[name].counts if name in PARTICIPANTS.names() else ""
