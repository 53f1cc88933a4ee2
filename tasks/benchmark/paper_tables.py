"""The paper's tables, under our names of the methods.

Tables C.1 and C.2 are read from `benchmarks/paper/`, which an installed package has beside this
file; Tables 1 and 2 are what the paper prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smoothrank.errors import SmoothrankError

if TYPE_CHECKING:
    import pandas as pd

_INSTALLED = Path(__file__).resolve().with_name("paper")
_CHECKOUT = Path(__file__).resolve().parents[2] / "benchmarks" / "paper"
PAPER_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
TEST_AUC_FILE = "table_c1_test_auc.csv"
FEATURES_FILE = "table_c2_features_used.csv"


@dataclass(frozen=True)
class PaperMethod:
    """A method that the paper compares.

    Parameters
    ----------
    name : str
        What benchmark and command line call it.
    label : str
        What the paper calls it.
    short : str
        The same where there is little room.
    column : str
        Its column in the files of `benchmarks/paper/`.
    printed_best : int
        Table 1: data sets, of 73, in which it has the highest AUC.
    printed_percent : int
        Table 1: percentage of features used.
    printed_best_without_cg : int
        Table 2: the same count over the 47 data sets in which Ranking-CG is not best.
    """

    name: str
    label: str
    short: str
    column: str
    printed_best: int
    printed_percent: int
    printed_best_without_cg: int


PAPER_METHODS = (
    PaperMethod("smooth", "Smooth Ranking-CG Prototype", "Smooth", "smooth_ranking_cg", 25, 2, 14),
    PaperMethod("ranking-cg", "Ranking-CG Prototype", "Ranking-CG", "ranking_cg", 26, 7, 0),
    PaperMethod("l1", "L1 Ranking", "L1", "l1_ranking", 30, 9, 18),
    PaperMethod("linf", "L∞ Ranking", "L∞", "linf_ranking", 24, 100, 12),
    PaperMethod("ranking-svm", "Ranking SVM", "SVM", "ranking_svm", 24, 73, 14),
)
"""In the order of the paper's columns."""

BY_NAME = {method.name: method for method in PAPER_METHODS}
PRINTED_DATASETS = 73
PRINTED_DATASETS_WITHOUT_CG = 47


def paper_test_auc(folder: Path = PAPER_FOLDER) -> pd.DataFrame:
    """Return Table C.1: test AUC, one row per data set and one column per method."""
    return _table(folder / TEST_AUC_FILE)


def paper_features_used(folder: Path = PAPER_FOLDER) -> pd.DataFrame:
    """Return Table C.2: features with |w| ≥ 0.001, a row per data set, a column per method."""
    return _table(folder / FEATURES_FILE).astype(int)


def _table(path: Path) -> pd.DataFrame:
    import pandas as pd

    if not path.is_file():
        raise SmoothrankError(
            f"the paper's table {path} is not here; run this in a clone of the repository, which "
            "has it in benchmarks/paper"
        )
    table = pd.read_csv(path, index_col="dataset")
    names = {method.column: method.name for method in PAPER_METHODS}
    return table.rename(columns=names)[[method.name for method in PAPER_METHODS]]
