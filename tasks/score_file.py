"""Scoring a file: its own columns as they are, and what the model says beside them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smoothrank.errors import SmoothrankError

if TYPE_CHECKING:
    import pandas as pd

    from smoothrank.tabular import TabularModel
    from tasks.drift import Drift

CSV_SEPARATORS = {".csv": ",", ".tsv": "\t"}
PARQUET_ENDINGS = (".parquet", ".pq")


class ScoringError(SmoothrankError):
    """A file cannot be scored, or its scores not be written."""


@dataclass(frozen=True)
class ScoredFile:
    """What was written: the file, its rows, how many are of each class, and how they drifted."""

    out: Path
    rows: int
    classes: dict[str, int]
    drift: Drift | None = None


def score_file(
    model: TabularModel, path: Path, out: Path, *, explain: bool = False, prefix: str = ""
) -> ScoredFile:
    """Write a file's rows with score, probability and class; all of them, or nothing.

    Parameters
    ----------
    model : TabularModel
        The model.
    path : Path
        A CSV, TSV, Parquet or KEEL file with the model's input columns.
    out : Path
        A .csv, .tsv or .parquet file, replaced if it exists.
    explain : bool
        Whether to add what each prototype contributes to the score.
    prefix : str
        Put before the names of the added columns.

    Raises
    ------
    SmoothrankError
        If the file cannot be read or has columns of the same names, if a value is not one the
        model knows, or if the result cannot be written.
    """
    import pandas as pd

    from smoothrank.datasets.new_rows import load_rows
    from smoothrank.preprocess import EncodingError
    from tasks.drift import drift_of

    _check_out(path, out)
    rows = load_rows(path, [column.name for column in model.columns])
    try:
        added = model.scored(rows)
        classes = added["class"].value_counts().to_dict()
        if explain:
            added = pd.concat([added, model.contributions(rows)], axis="columns")
    except EncodingError as error:
        raise ScoringError(f"{path}: {error}") from error
    added = added.add_prefix(prefix)
    table = _as_written(path, out)
    _check_names(path, list(table.columns), list(added.columns))
    _write(pd.concat([table, added], axis="columns"), out)
    counts = {label: int(classes.get(label, 0)) for label in (model.positive, model.negative)}
    return ScoredFile(out, len(rows), counts, drift_of(model.profile, rows))


def _check_out(path: Path, out: Path) -> None:
    endings = [*CSV_SEPARATORS, *PARQUET_ENDINGS]
    if out.suffix.lower() not in endings:
        raise ScoringError(f"cannot write {out}: its ending must be one of {', '.join(endings)}")
    if not out.parent.is_dir():
        raise ScoringError(f"cannot write {out}: there is no folder {out.parent}; make it first")
    if out.exists() and path.exists() and out.samefile(path):
        raise ScoringError(f"{out} is the file with the rows itself; write to another one")


def _as_written(path: Path, out: Path) -> pd.DataFrame:
    """The file's own columns: texts as written where they go to text, else typed."""
    from smoothrank.datasets.table import read_parquet
    from tasks.raw_table import read_raw_table

    if path.suffix.lower() in PARQUET_ENDINGS:
        return read_parquet(path, path.read_bytes())
    cells = read_raw_table(path).cells
    if out.suffix.lower() in CSV_SEPARATORS:
        return cells
    return cells.apply(_numbers_if_all_are)


def _numbers_if_all_are(column: pd.Series) -> pd.Series:
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().sum() == column.notna().sum() else column


def _check_names(path: Path, given: list[str], added: list[str]) -> None:
    if taken := [name for name in added if name in given]:
        raise ScoringError(
            f"{path} has a column {taken[0]!r} already; rename it, or put something before the "
            "names of the new ones, as --prefix predicted_ does"
        )


def _write(table: pd.DataFrame, out: Path) -> None:
    """Write beside the file first, and put it in its place when it is complete."""
    scratch = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        if out.suffix.lower() in PARQUET_ENDINGS:
            table.to_parquet(scratch, index=False)
        else:
            table.to_csv(scratch, index=False, sep=CSV_SEPARATORS[out.suffix.lower()])
        scratch.replace(out)
    except OSError as error:
        raise ScoringError(f"cannot write {out}: {error.strerror or error}") from error
    finally:
        scratch.unlink(missing_ok=True)
