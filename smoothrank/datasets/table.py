"""CSV and Parquet files of a user's own."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from smoothrank.datasets.dataset import Attribute, Dataset, Kind, Schema
from smoothrank.datasets.errors import DatasetError, TableFormatError
from smoothrank.datasets.keel_text import decode
from smoothrank.datasets.target import encode_target

Label = str | int | float | bool

MISSING_TEXTS = ["", "?", "<null>", "NA", "N/A", "NaN", "nan", "null", "NULL"]
CSV_ENDINGS = (".csv", ".tsv")
EXPECTED_ENDINGS = "a .csv, .tsv, .parquet or .dat file"
_HOW_TO_NAME = "target=… in Python, --target on the command line"
_HOW_TO_NAME_BOTH = "target=… and positive=… in Python, --target and --positive on the command line"
_SEPARATORS = ",;\t"
_INT64 = np.iinfo(np.int64)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_TARGET_NAMES = {"class", "target", "label", "y"}


def load_table(path: Path, target: str | None = None, positive: Label | None = None) -> Dataset:
    """Load a CSV or Parquet file; see `smoothrank.datasets.load_file`."""
    data, frame = read_table(path)
    _check_columns(path, frame)
    target = _target_column(path, frame, target)
    missing = frame[target].isna().to_numpy()
    if missing.any():
        row = int(np.flatnonzero(missing)[0]) + 1
        raise TableFormatError(f"{path}, row {row}: the target {target!r} is missing")
    inputs = frame.drop(columns=target)
    columns = {name: plain_column(path, name, inputs[name]) for name in inputs.columns}
    try:
        found = encode_target(
            target,
            [_label(value) for value in frame[target].tolist()],
            positive=None if positive is None else _label(positive),
        )
    except DatasetError as error:
        raise TableFormatError(f"{path}: {error} ({_HOW_TO_NAME_BOTH})") from None
    schema = Schema(
        path.stem,
        tuple(_attribute(name, column) for name, column in columns.items()),
        Attribute(target, "nominal", levels=found.levels),
        found.positive,
    )
    checksum = hashlib.sha256(data).hexdigest()
    return Dataset(path.stem, pd.DataFrame(columns), found.y, schema, checksum)


def read_table(path: Path) -> tuple[bytes, pd.DataFrame]:
    """Give the bytes of a CSV, TSV or Parquet file, and its table."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TableFormatError(f"cannot read {path}: {error.strerror or error}") from error
    ending = path.suffix.lower()
    if ending in CSV_ENDINGS:
        return data, _read_csv(path, csv_text(path, data))
    if ending in (".parquet", ".pq"):
        return data, read_parquet(path, data)
    raise TableFormatError(f"cannot read {path}: expected {EXPECTED_ENDINGS}")


def csv_text(path: Path, data: bytes) -> str:
    """Give the text of a CSV file.

    Raises
    ------
    TableFormatError
        If the file is UTF-16, as Excel's "Unicode text" is.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise TableFormatError(f"{path} is UTF-16 text; save it as UTF-8 (in Excel: CSV UTF-8)")
    return decode(data)


def _read_csv(path: Path, text: str) -> pd.DataFrame:
    separator, names = csv_layout(path, text)
    if not names:
        raise TableFormatError(f"{path} is empty")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise TableFormatError(f"{path}, line 1: there are two columns {twice[0]!r}")
    try:
        _check_widths(path, text, separator, len(names))
        frame = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            header=0,
            names=names,
            index_col=False,
            na_values=MISSING_TEXTS,
            keep_default_na=False,
            skipinitialspace=True,
            low_memory=False,
        )
    except TableFormatError:
        raise
    except (ValueError, OverflowError, csv.Error) as error:
        reason = " ".join(str(error).split())
        raise TableFormatError(f"cannot read {path} as CSV: {reason}") from error
    return frame.apply(_tidy)


def _tidy(column: pd.Series) -> pd.Series:
    """Strip texts, and read numbers that pandas leaves as text beside one beyond int64."""
    if not isinstance(column.dtype, pd.StringDtype):
        return column
    texts = strip_texts(column)
    present = texts.dropna()
    if present.empty or not present.map(lambda text: bool(_NUMBER.fullmatch(text))).all():
        return texts
    return texts.astype(np.float64)


def strip_texts(column: pd.Series) -> pd.Series:
    """Take blanks off both ends of a column's texts; what is left of a missing one is missing."""
    texts = column.str.strip()
    return texts.mask(texts.isin(MISSING_TEXTS))


def _check_widths(path: Path, text: str, separator: str, width: int) -> None:
    """Refuse rows of another width, which pandas would cut or fill up without a word."""
    rows = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    for row in rows:
        if len(row) not in (0, width):
            raise TableFormatError(
                f"{path}, line {rows.line_num}: {len(row)} values where the first line "
                f"has {width} columns"
            )


def csv_layout(path: Path, text: str) -> tuple[str, list[str]]:
    """Give the separator and the column names as the first line has them; no names if empty."""
    separators = "\t" if path.suffix.lower() == ".tsv" else _SEPARATORS
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(separators, key=first.count)
    names = next(csv.reader([first], delimiter=separator), [])
    return separator, [name.strip() for name in names]


def read_parquet(path: Path, data: bytes) -> pd.DataFrame:
    """Give the table of a Parquet file as it is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        frame: pd.DataFrame = pq.read_table(io.BytesIO(data)).to_pandas(ignore_metadata=True)
    except (pa.ArrowException, ValueError, OSError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise TableFormatError(f"cannot read {path} as Parquet: {reason}") from error
    return frame


def _check_columns(path: Path, frame: pd.DataFrame) -> None:
    if len(frame) == 0:
        raise TableFormatError(f"{path} has no rows")
    if len(frame.columns) < 2:
        raise TableFormatError(f"{path} has one column; at least one input and a target are needed")
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise TableFormatError(f"{path}: there are two columns {twice!r}")
    for name in frame.columns:
        if not str(name).strip():
            raise TableFormatError(f"{path}: a column has no name")


def _target_column(path: Path, frame: pd.DataFrame, target: str | None) -> str:
    columns = [str(name) for name in frame.columns]
    if target is not None:
        if target not in columns:
            raise TableFormatError(f"{path} has no column {target!r}; it has {_listed(columns)}")
        return target
    counts = {name: _count_values(frame[name]) for name in columns}
    candidates = [name for name in columns if counts[name] == 2]
    called_so = [name for name in columns if name.lower() in _TARGET_NAMES]
    named = [name for name in called_so if name in candidates]
    if len(named) == 1:
        return named[0]
    if not named:
        for name in (*called_so, columns[-1]):
            if counts[name] == 1:
                raise TableFormatError(f"{path}: {_one_class(name, frame)}")
        if columns[-1] in candidates:
            return columns[-1]
        if len(candidates) == 1 and not called_so:
            return candidates[0]
    choice = f"one of {_listed(named or candidates)}" if candidates else "none has two values"
    raise TableFormatError(
        f"{path}: which column is the target? Name it ({_HOW_TO_NAME}): {choice}"
    )


def _one_class(name: str, frame: pd.DataFrame) -> str:
    value = _label(frame[name].dropna().iloc[0])
    return (
        f"every row has the value {value!r} in {name!r}, but a target has two; add rows of the "
        f"other class, or name another column as target ({_HOW_TO_NAME})"
    )


def _count_values(column: pd.Series) -> int:
    try:
        return int(column.nunique())
    except TypeError:  # lists and the like
        return 0


def _label(value: Label) -> str:
    """Write a label the same whether the file has it as 1 or as 1.0."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def plain_column(path: Path, name: str, column: pd.Series) -> pd.Series:
    """Give a column as int64, float64 or strings."""
    dtype = column.dtype
    objects = pd.api.types.infer_dtype(column) if pd.api.types.is_object_dtype(dtype) else None
    if pd.api.types.is_bool_dtype(dtype) or objects == "boolean":
        return column.astype("str")
    is_whole = pd.api.types.is_integer_dtype(dtype) or objects == "integer"
    if is_whole or pd.api.types.is_float_dtype(dtype):
        numbers = _as_float64(path, name, column)
        fits = is_whole and not column.isna().any() and _fits_int64(column)
        return column.astype(np.int64) if fits else numbers
    if isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_string_dtype(column.dropna()):
        return column.astype("str")
    raise TableFormatError(
        f"{path}: column {name!r} holds neither numbers nor text ({dtype}); convert or drop it"
    )


def _as_float64(path: Path, name: str, column: pd.Series) -> pd.Series:
    try:
        numbers = column.astype(np.float64)
    except OverflowError:  # a Python int of more than 308 digits
        raise TableFormatError(f"{path}: column {name!r} has a number beyond 1e308") from None
    if not np.isfinite(numbers[column.notna()]).all():
        raise TableFormatError(f"{path}: column {name!r} has an infinite value")
    return numbers


def _fits_int64(column: pd.Series) -> bool:
    return bool(column.min() >= _INT64.min and column.max() <= _INT64.max)


def _attribute(name: str, column: pd.Series) -> Attribute:
    nullable = bool(column.isna().any())
    present = column.dropna()
    if not pd.api.types.is_numeric_dtype(column):
        return Attribute(name, "nominal", levels=tuple(sorted(present.unique())), nullable=nullable)
    kind: Kind = "integer" if pd.api.types.is_integer_dtype(column) else "real"
    if present.empty:
        return Attribute(name, kind, nullable=nullable)
    return Attribute(name, kind, float(present.min()), float(present.max()), nullable=nullable)


def _listed(names: list[str], most: int = 8) -> str:
    return ", ".join(map(repr, names[:most])) + (", …" if len(names) > most else "")
