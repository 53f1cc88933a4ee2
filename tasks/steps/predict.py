"""Scoring a file: its own columns as they are, and the model's output next to them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smoothrank.datasets.options import AS_RECOGNISED, ReadOptions
from smoothrank.errors import SmoothrankError
from tasks.assessment.classify import Rule, decide_classes, with_threshold

if TYPE_CHECKING:
    import pandas as pd

    from smoothrank.tables.encoded_rows import EncodedRows
    from smoothrank.tables.tabular_model import TabularModel
    from tasks.results.drift import Drift

CSV_SEPARATORS = {".csv": ",", ".tsv": "\t"}
PARQUET_ENDINGS = (".parquet", ".pq")


class ScoringError(SmoothrankError):
    """A file cannot be scored, or its scores cannot be written."""


AUTOMATIC_PREFIX = "smoothrank_"
NOTE = "note"


@dataclass(frozen=True)
class ScoringOptions:
    """What a user can ask of the scores.

    Parameters
    ----------
    explain : bool
        Whether to add what each prototype contributes to the score and, where the model can be
        explained, what each column of the table does and the reason in words.
    prefix : str or None
        Put before the names of the added columns; None for nothing, or `smoothrank_` where the
        file has a column of the same name.
    strict : bool
        Whether to refuse levels never seen, values that cannot be read, and missing ones where
        none were missing.
    threshold, cost_fp, cost_fn : float or None
        Where the classes are divided, if not where the model says.
    top : int or None
        Call this many rows positive, those with the highest scores.
    as_written : bool
        Whether to leave texts as they are that a spreadsheet would take for formulas; otherwise a
        CSV or TSV file has an apostrophe before them.
    read : ReadOptions
        How the file is written, where that is not to be recognised automatically.
    """

    explain: bool = False
    prefix: str | None = None
    strict: bool = False
    threshold: float | None = None
    cost_fp: float | None = None
    cost_fn: float | None = None
    top: int | None = None
    as_written: bool = False
    read: ReadOptions = AS_RECOGNISED


PLAINLY = ScoringOptions()
"""The defaults."""


@dataclass(frozen=True)
class ScoredFile:
    """What was written.

    Parameters
    ----------
    out : Path
        The file.
    rows : int
        Its rows.
    classes : dict of str to int
        How many rows are of each class, the positive one first.
    rule : Rule
        How the class was decided.
    troubles : dict of str to int
        How many rows have a value that is `missing`, `unseen` or `unreadable`.
    columns : dict of str to str
        The names of the columns score, probability, class and note in the file.
    drift : Drift or None
        How far the rows are from those learnt from; None if that is not known.
    """

    out: Path
    rows: int
    classes: dict[str, int]
    rule: Rule
    troubles: dict[str, int]
    columns: dict[str, str]
    drift: Drift | None = None


def score_file(
    model: TabularModel, path: Path, out: Path, options: ScoringOptions = PLAINLY
) -> ScoredFile:
    """Write a file's rows with score, probability, class and note; all of them, or nothing.

    The note of a row says which values differ from those of the training rows.

    Parameters
    ----------
    model : TabularModel
        The model.
    path : Path
        A CSV, TSV, Parquet or KEEL file with the model's input columns.
    out : Path
        A .csv, .tsv or .parquet file, replaced if it exists.
    options : ScoringOptions
        What is asked for.

    Raises
    ------
    SmoothrankError
        If the file cannot be read or misses a column, if a value is refused, or if the result
        cannot be written.
    """
    import pandas as pd

    from smoothrank.datasets.files.formulas import harmless
    from tasks.assessment.drift import drift_of

    _check_out(path, out)
    model = with_threshold(model, options.threshold, options.cost_fp, options.cost_fn, options.top)
    table, rows = _read(model, path, out, options.read)
    encoded, added = _scored(model, path, rows, strict=options.strict)
    rule = decide_classes(model, added, options.top)
    added[NOTE] = encoded.remarks()
    counts = {label: int((added["class"] == label).sum()) for label in _labels(model)}
    if options.explain:
        added = pd.concat([added, *_reasons(model, rows, encoded)], axis="columns")
    prefix = _prefix(path, list(table.columns), list(added.columns), options.prefix)
    whole = pd.concat([table, added.add_prefix(prefix)], axis="columns")
    is_text = out.suffix.lower() in CSV_SEPARATORS
    _write(harmless(whole) if is_text and not options.as_written else whole, out)
    names = {name: f"{prefix}{name}" for name in ("score", "probability", "class", NOTE)}
    drift = drift_of(model.profile, rows)
    return ScoredFile(out, len(rows), counts, rule, encoded.counts(), names, drift)


def _scored(
    model: TabularModel, path: Path, rows: pd.DataFrame, *, strict: bool
) -> tuple[EncodedRows, pd.DataFrame]:
    """Return the features of rows, and their scores; a row without a score is refused by name."""
    from smoothrank.estimators.input_checks import ScoreError, score_advice
    from smoothrank.tables.one_hot import EncodingError

    try:
        encoded = model.encode_rows(rows, strict=strict)
        return encoded, model.scored(encoded)
    except EncodingError as error:
        raise ScoringError(f"{path}: {error}") from error
    except ScoreError as error:
        said = f"column {model.features[error.column]!r} is {error.value:.3g}, and has no score"
        advice = score_advice(error.value)
        raise ScoringError(f"{path}, row {error.row + 1}: {said}. {advice}") from error


def _reasons(model: TabularModel, rows: pd.DataFrame, encoded: EncodedRows) -> list[pd.DataFrame]:
    """Return why each row has its score: by prototype and, if possible, by column of the table."""
    from smoothrank.tables.explained_table import ExplainedTable, can_be_explained

    found = [model.contributions(encoded)]
    if can_be_explained(model):
        found.append(ExplainedTable(model).reasons(rows, encoded))
    return found


def _labels(model: TabularModel) -> tuple[str, str]:
    return model.positive, model.negative


def _check_out(path: Path, out: Path) -> None:
    endings = [*CSV_SEPARATORS, *PARQUET_ENDINGS]
    if out.suffix.lower() not in endings:
        raise ScoringError(f"cannot write {out}: its ending must be one of {', '.join(endings)}")
    if not out.parent.is_dir():
        raise ScoringError(f"cannot write {out}: there is no folder {out.parent}; make it first")
    if _is_same_file(out, path):
        raise ScoringError(f"{out} is the file with the rows itself; write to another one")


def _is_same_file(out: Path, path: Path) -> bool:
    try:
        return out.samefile(path)
    except (OSError, ValueError):  # one of them is not there
        return False


def _read(
    model: TabularModel, path: Path, out: Path, read: ReadOptions
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the file's own columns, as text if text is written, and those the model needs."""
    from smoothrank.datasets.files.read_table import read_table
    from smoothrank.datasets.new_rows import load_rows, rows_of
    from tasks.validation.raw_table import read_raw_table

    needed = [column.name for column in model.columns]
    levels = [column.name for column in model.columns if column.levels is not None]
    as_text = out.suffix.lower() in CSV_SEPARATORS
    if path.suffix.lower() == ".dat":
        cells = read_raw_table(path).cells
        own = cells if as_text else cells.apply(_numbers_if_all_are)
        return own, load_rows(path, needed)
    table = read_table(path, read, model.style)
    return table.frame(as_text=as_text), rows_of(path, table, needed, levels)


def _numbers_if_all_are(column: pd.Series) -> pd.Series:
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().sum() == column.notna().sum() else column


def _prefix(path: Path, given: list[str], added: list[str], asked: str | None) -> str:
    """Return the prefix of the added columns, so that no name occurs twice."""
    for prefix in ("", AUTOMATIC_PREFIX) if asked is None else (asked,):
        taken = [name for name in added if f"{prefix}{name}" in given]
        if not taken:
            return prefix
    raise ScoringError(
        f"{path} already has a column {prefix + taken[0]!r}; rename it, or put something before "
        "the names of the new ones, as --prefix predicted_ does"
    )


def _write(table: pd.DataFrame, out: Path) -> None:
    """Write a temporary file next to it first, and rename it when it is complete."""
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
