"""The tests of the report: which methods differ, by our AUC and by the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smoothrank.evaluation.rank_tests import (
    FriedmanTest,
    PairedTest,
    average_ranks,
    critical_difference,
    friedman,
    pairwise_tests,
)
from tasks.benchmark.paper_tables import BY_NAME
from tasks.reporting.paper.tables import Comparison, labelled

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RankStatistics:
    """The tests of one table of AUC.

    Parameters
    ----------
    average_ranks : dict
        Average rank by method, in the order of the columns.
    test : FriedmanTest
        Whether all rank alike.
    critical_difference : float
        Nemenyi's, at 0.05.
    pairs : list of PairedTest
        Wilcoxon's tests, corrected by Holm.
    """

    average_ranks: dict[str, float]
    test: FriedmanTest
    critical_difference: float
    pairs: list[PairedTest]


def rank_statistics(auc: pd.DataFrame) -> RankStatistics | None:
    """Test a table of AUC; None if it has fewer than two data sets or methods."""
    if min(auc.shape) < 2:
        return None
    scores = auc.to_numpy()
    ranks = average_ranks(scores)
    return RankStatistics(
        average_ranks=dict(zip(auc.columns, map(float, ranks), strict=True)),
        test=friedman(scores),
        critical_difference=critical_difference(auc.shape[1], auc.shape[0]),
        pairs=pairwise_tests(scores, list(auc.columns)),
    )


def both_rank_statistics(comparison: Comparison) -> tuple[RankStatistics, RankStatistics] | None:
    """Test our table and the paper's; None where there is too little to compare."""
    ours = rank_statistics(comparison.complete(comparison.auc))
    paper = rank_statistics(comparison.complete(comparison.paper_auc))
    return None if ours is None or paper is None else (ours, paper)


def rank_table(ours: RankStatistics, paper: RankStatistics) -> pd.DataFrame:
    """Return the average rank of each method, best of ours first."""
    import pandas as pd

    frame = pd.DataFrame({"ours": ours.average_ranks, "paper": paper.average_ranks}).round(3)
    return labelled(frame.sort_values("ours", kind="stable"))


def friedman_table(ours: RankStatistics, paper: RankStatistics) -> pd.DataFrame:
    """Return Friedman's test and Iman and Davenport's, ours and the paper's."""
    import pandas as pd

    lines = {
        source: {
            "χ²": round(test.chi_square, 3),
            "p of χ²": test.chi_square_p,
            "F": round(test.f, 3),
            "p of F": test.f_p,
            "critical difference": round(difference, 3),
        }
        for source, test, difference in (
            ("ours", ours.test, ours.critical_difference),
            ("paper", paper.test, paper.critical_difference),
        )
    }
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("results")


def pair_table(ours: RankStatistics, paper: RankStatistics) -> pd.DataFrame:
    """Return every pair of methods: wins, ties and losses of the first, and the p-values."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "first": BY_NAME[pair.first].label,
                "second": BY_NAME[pair.second].label,
                "wins": pair.wins,
                "ties": pair.ties,
                "losses": pair.losses,
                "p": pair.p,
                "p, Holm": pair.p_holm,
                "p, Holm, paper": printed.p_holm,
            }
            for pair, printed in zip(ours.pairs, paper.pairs, strict=True)
        ]
    )
