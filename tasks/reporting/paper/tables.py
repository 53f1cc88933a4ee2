"""The tables of the report: the paper's next to ours, as data frames."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from smoothrank.datasets.catalogue.catalogue import catalogue
from tasks.benchmark.paper_tables import (
    BY_NAME,
    PRINTED_DATASETS,
    PRINTED_DATASETS_WITHOUT_CG,
    paper_features_used,
    paper_test_auc,
)

if TYPE_CHECKING:
    import pandas as pd

    from tasks.benchmark.figure import FigureOne
    from tasks.benchmark.results import Results

PRINTED_THE_SAME = 0.0005
NEAR = 0.005
FAR = 0.02


@dataclass(frozen=True)
class Comparison:
    """Our results and the paper's, on the same data sets and methods.

    "Complete" data sets are those for which every method that was run has a result: only they
    enter counts of the highest AUC, means and tests, because those compare methods.

    Parameters
    ----------
    results : Results
        Ours.
    drawing : FigureOne, optional
        Figure 1, if it has been made.
    """

    results: Results
    drawing: FigureOne | None = None

    @cached_property
    def paper_auc(self) -> pd.DataFrame:
        """Table C.1, for our data sets and methods."""
        return paper_test_auc().loc[list(self.results.datasets), list(self.results.methods)]

    @cached_property
    def paper_features(self) -> pd.DataFrame:
        """Table C.2, for our data sets and methods."""
        return paper_features_used().loc[list(self.results.datasets), list(self.results.methods)]

    @cached_property
    def auc(self) -> pd.DataFrame:
        """Our test AUC in three decimals."""
        return self.results.test_auc

    @cached_property
    def features(self) -> pd.DataFrame:
        """Our number of features used."""
        return self.results.features_used

    @cached_property
    def auc_difference(self) -> pd.DataFrame:
        """Ours minus the paper's, both in three decimals."""
        return (self.auc - self.paper_auc).round(3)

    @cached_property
    def features_difference(self) -> pd.DataFrame:
        """Ours minus the paper's."""
        return self.features - self.paper_features

    def complete(self, table: pd.DataFrame) -> pd.DataFrame:
        """Keep the rows of the complete data sets."""
        return table.loc[list(self.results.complete)]

    def agreement(self) -> pd.DataFrame:
        """Return how close each method comes to the tables."""
        import pandas as pd

        lines = {}
        for name in self.results.methods:
            off = self.auc_difference[name].dropna()
            size = off.abs()
            lines[BY_NAME[name].label] = {
                "data sets": len(off),
                "AUC as printed": int((size < PRINTED_THE_SAME).sum()),
                f"within {NEAR}": int((size <= NEAR + 1e-9).sum()),
                f"within {FAR}": int((size <= FAR + 1e-9).sum()),
                "mean difference": round(float(off.mean()), 4),
                "largest difference": float(off.iloc[int(size.to_numpy().argmax())]),
                "largest in": str(size.idxmax()),
                "same features": int((self.features_difference[name].dropna() == 0).sum()),
            }
        return pd.DataFrame.from_dict(lines, orient="index").rename_axis("method")

    def table_one(self) -> pd.DataFrame:
        """Return Table 1: data sets with the highest AUC, mean percentage of features used."""
        n = len(self.results.complete)
        methods = self.results.methods
        highest, percent = "Data sets with the highest AUC", "% of features used"
        lines = {
            (highest, _printed(PRINTED_DATASETS)): [BY_NAME[m].printed_best for m in methods],
            (highest, _from_paper(n)): list(best(self.complete(self.paper_auc)).sum()),
            (highest, _ours(n)): list(best(self.complete(self.auc)).sum()),
            (percent, _printed(PRINTED_DATASETS)): [BY_NAME[m].printed_percent for m in methods],
            (percent, _from_paper(n)): list(_percent(self.complete(self.paper_features))),
            (percent, _ours(n)): list(_percent(self.complete(self.features))),
        }
        return _by_source(lines, methods)

    def table_two(self) -> pd.DataFrame | None:
        """Return Table 2: the highest AUC where Ranking-CG is not best; None without Ranking-CG."""
        if "ranking-cg" not in self.results.methods:
            return None
        printed = [BY_NAME[m].printed_best_without_cg for m in self.results.methods]
        lines: dict[tuple[str, str], list[float]] = {}
        highest = "Data sets with the highest AUC"
        lines[highest, _printed(PRINTED_DATASETS_WITHOUT_CG)] = list(map(float, printed))
        for source, table in ((_from_paper, self.paper_auc), (_ours, self.auc)):
            wins = best(self.complete(table))
            rest = wins[~wins["ranking-cg"]]
            lines[highest, source(len(rest))] = list(rest.sum())
        return _by_source(lines, self.results.methods)

    def table_c1(self) -> pd.DataFrame:
        """Return Table C.1: test AUC, the paper's, ours, and the difference."""
        return _side_by_side(self.paper_auc, self.auc, self.auc_difference)

    def table_c2(self) -> pd.DataFrame:
        """Return Table C.2: features used, the paper's, ours, and the difference."""
        return _side_by_side(
            self.paper_features, self.features, self.features_difference, whole=True
        )

    def means(self) -> pd.DataFrame:
        """Return mean AUC and mean number of features of each method, the paper's and ours."""
        import pandas as pd

        frame = pd.DataFrame(
            {
                "AUC, paper": self.complete(self.paper_auc).mean().round(4),
                "AUC, ours": self.complete(self.auc).mean().round(4),
                "features, paper": self.complete(self.paper_features).mean().round(1),
                "features, ours": self.complete(self.features).mean().round(1),
            }
        )
        frame["on our front"] = on_front(frame["AUC, ours"], frame["features, ours"])
        return labelled(frame)

    def time(self) -> pd.DataFrame:
        """Return the seconds of each method: in total, and for one data set."""
        import pandas as pd

        seconds = self.results.wide("seconds")
        lines = {}
        for name in self.results.methods:
            column = seconds[name].dropna()
            if column.empty:
                continue
            lines[name] = {
                "data sets": len(column),
                "total": round(float(column.sum()), 1),
                "median": round(float(column.median()), 1),
                "fastest": round(float(column.min()), 1),
                "slowest": round(float(column.max()), 1),
                "slowest in": str(column.idxmax()),
            }
        return labelled(pd.DataFrame.from_dict(lines, orient="index"))


def best(auc: pd.DataFrame) -> pd.DataFrame:
    """Return whether a method has the highest AUC of a data set, in three decimals; several may."""
    return auc.round(3).eq(auc.round(3).max(axis=1), axis=0)


def measure_text(measure: str, value: float) -> str:
    """Write a number of Table 1 or 2: a count, or a percentage."""
    if math.isnan(value):  # no data set to count
        return "–"
    if not measure.startswith("%"):
        return f"{value:.0f}"
    return f"{value:.0f} %" if value == int(value) else f"{value:.1f} %"


def on_front(auc: pd.Series, features: pd.Series) -> list[bool]:
    """Return whether no other method is at least as good in both, and better in one."""
    points = list(zip(auc, features, strict=True))
    return [not any(a >= b and f <= g and (a, f) != (b, g) for a, f in points) for b, g in points]


def _percent(features: pd.DataFrame) -> pd.Series:
    rows = [catalogue()[str(name)].n_train for name in features.index]
    return (100.0 * features.div(rows, axis=0)).mean().round(2)


def _printed(n: int) -> str:
    return f"paper, as printed ({n} data sets)"


def _from_paper(n: int) -> str:
    return f"paper, from Tables C.1 and C.2 ({n} data sets)"


def _ours(n: int) -> str:
    return f"ours ({n} data sets)"


def _by_source(lines: dict[tuple[str, str], list[float]], methods: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    labels = [BY_NAME[name].label for name in methods]
    frame = pd.DataFrame(list(lines.values()), columns=labels, dtype=float)
    frame.insert(0, "source", [source for _, source in lines])
    frame.insert(0, "measure", [measure for measure, _ in lines])
    return frame


def labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """Name the rows as the paper names the methods."""
    return frame.rename(index={name: m.label for name, m in BY_NAME.items()}).rename_axis("method")


def _side_by_side(
    paper: pd.DataFrame, ours: pd.DataFrame, difference: pd.DataFrame, *, whole: bool = False
) -> pd.DataFrame:
    import pandas as pd

    columns = {}
    for name in ours.columns:
        short = BY_NAME[name].short
        columns[f"{short}, paper"] = paper[name]
        columns[f"{short}, ours"] = ours[name]
        columns[f"{short}, difference"] = difference[name]
    frame = pd.DataFrame(columns).rename_axis("data set")
    return frame.astype("Int64") if whole else frame
