"""The results of the benchmark, `reports/benchmark.csv`: read, checked, and laid out as tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smoothrank.errors import SmoothrankError
from tasks.benchmark.paper_tables import PAPER_METHODS, paper_test_auc

if TYPE_CHECKING:
    import pandas as pd

REQUIRED = ("dataset", "method", "test_auc", "features_used", "seconds")


@dataclass(frozen=True)
class Results:
    """What the benchmark found.

    Parameters
    ----------
    table : DataFrame
        One row per data set and method of the paper that has a result.
    methods : tuple of str
        The paper's methods that have results, in the paper's order.
    datasets : tuple of str
        The paper's data sets that have results, in the paper's order.
    complete : tuple of str
        Those that have a result of every one of `methods`.
    left_out : tuple of str
        What the file has and the paper does not: methods and data sets.
    without_result : int
        Lines of the file that have no AUC.
    """

    table: pd.DataFrame
    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    complete: tuple[str, ...]
    left_out: tuple[str, ...]
    without_result: int

    def wide(self, column: str) -> pd.DataFrame:
        """Return one column of the file as a table: one row per data set, one column per method."""
        wide = self.table.pivot_table(index="dataset", columns="method", values=column)
        return wide.reindex(index=list(self.datasets), columns=list(self.methods))

    @property
    def test_auc(self) -> pd.DataFrame:
        """Test AUC as the paper prints it, in three decimals."""
        return self.wide("test_auc").round(3)

    @property
    def features_used(self) -> pd.DataFrame:
        """Number of features used."""
        return self.wide("features_used")


def read_results(path: Path) -> Results:
    """Read the benchmark's file, or all files of a folder.

    Raises
    ------
    SmoothrankError
        If there is no file, it lacks a column or has no result, a line occurs twice, or a number
        cannot be one.
    """
    table = read_table(path)
    measured = table.dropna(subset=["test_auc", "features_used"])
    known_methods = [method.name for method in PAPER_METHODS]
    known_datasets = [str(name) for name in paper_test_auc().index]
    is_known = measured["method"].isin(known_methods) & measured["dataset"].isin(known_datasets)
    known = measured[is_known]
    if known.empty:
        raise SmoothrankError(
            f"{path} has no result of a data set and a method of the paper; run `smoothrank "
            "benchmark` again"
        )
    methods = tuple(name for name in known_methods if name in set(known["method"]))
    counts = known["dataset"].value_counts()
    datasets = tuple(name for name in known_datasets if name in counts.index)
    return Results(
        table=known.reset_index(drop=True),
        methods=methods,
        datasets=datasets,
        complete=tuple(name for name in datasets if counts[name] == len(methods)),
        left_out=_left_out(measured, known_methods, known_datasets),
        without_result=len(table) - len(measured),
    )


def read_table(path: Path) -> pd.DataFrame:
    """Return the lines of a file, or of all CSV files of a folder, checked."""
    import pandas as pd

    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    if not files or not files[0].is_file():
        raise SmoothrankError(
            f"there are no results in {path}; run `smoothrank benchmark` first, or name the file "
            "with --results"
        )
    tables = []
    for file in files:
        try:
            tables.append(pd.read_csv(file, dtype={"dataset": str, "method": str}))
        except (ValueError, pd.errors.ParserError) as error:
            raise SmoothrankError(f"{file} cannot be read as CSV: {error}") from error
        _check(tables[-1], file)
    table = pd.concat(tables, ignore_index=True)
    _check(table, path)
    return table


def _left_out(
    table: pd.DataFrame, known_methods: list[str], known_datasets: list[str]
) -> tuple[str, ...]:
    methods = sorted(set(table["method"]) - set(known_methods))
    datasets = sorted(set(table["dataset"]) - set(known_datasets))
    return (*methods, *datasets)


def _check(table: pd.DataFrame, path: Path) -> None:
    import pandas as pd

    if missing := [name for name in REQUIRED if name not in table.columns]:
        raise SmoothrankError(
            f"{path} has no column {', '.join(missing)}; it needs {', '.join(REQUIRED)}"
        )
    twice = table[table.duplicated(["dataset", "method"])]
    if len(twice):
        line = twice.iloc[0]
        raise SmoothrankError(
            f"{path} has {line['dataset']} with {line['method']} twice; remove one of the lines"
        )
    for name in ("test_auc", "features_used", "seconds"):
        if len(table) and not pd.api.types.is_numeric_dtype(table[name]):
            raise SmoothrankError(f"{path}: the column {name} holds something that is not a number")
    wrong = table[(table["test_auc"] < 0) | (table["test_auc"] > 1)]
    if len(wrong):
        line = wrong.iloc[0]
        raise SmoothrankError(
            f"{path}: the test AUC of {line['dataset']} with {line['method']} is "
            f"{line['test_auc']}; an AUC is between 0 and 1"
        )
