"""Tables of a user's own as binary problems."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.datasets.dataset import Attribute, Dataset, Kind, Schema
from smoothrank.datasets.errors import DatasetError, TableFormatError
from smoothrank.datasets.files.read_table import Table, finite, read_table
from smoothrank.datasets.labels import Label, label, labels_of
from smoothrank.datasets.options import ReadOptions
from smoothrank.datasets.target import Target, encode_target

_HOW_TO_NAME = "target=… in Python, --target on the command line"
_HOW_TO_NAME_BOTH = "target=… and positive=… in Python, --target and --positive on the command line"
_TARGET_NAMES = {"class", "target", "label", "y"}


def load_table(
    path: Path,
    target: str | None = None,
    positive: Label | None = None,
    read: ReadOptions | None = None,
    negative: str | None = None,
) -> Dataset:
    """Load a table; see `smoothrank.datasets.load_file`."""
    return table_dataset(path, read_table(path, read), target, positive, negative)


def table_dataset(
    path: Path,
    table: Table,
    target: str | None = None,
    positive: Label | None = None,
    negative: str | None = None,
) -> Dataset:
    """Return a table that was read as a binary problem; see `smoothrank.datasets.load_file`."""
    _check_columns(path, table)
    target = _target_column(path, table, target, positive)
    labels = labels_of(table, target)
    has_label = labels.notna().to_numpy()
    if not has_label.any():
        raise TableFormatError(f"{path}: no row has a value in the target {target!r}")
    found = _classes(path, target, labels[has_label].tolist(), positive, negative)
    columns = _inputs(path, table, target, has_label)
    schema = Schema(
        table.name,
        tuple(_attribute(name, column) for name, column in columns.items()),
        Attribute(target, "nominal", levels=found.levels),
        found.positive,
    )
    notes = (*table.said.sentences(without=target), *_target_notes(target, has_label, found))
    frame = pd.DataFrame(columns, index=pd.RangeIndex(int(has_label.sum())))
    return Dataset(table.name, frame, found.y, schema, table.checksum, notes, table.style)


def _inputs(
    path: Path, table: Table, target: str, rows: npt.NDArray[np.bool_]
) -> dict[str, pd.Series]:
    inputs = {name: table.values(name) for name in table.names if name != target}
    if not rows.all():
        inputs = {name: values[rows].reset_index(drop=True) for name, values in inputs.items()}
    return {name: finite(path, name, values) for name, values in inputs.items()}


def _classes(
    path: Path, target: str, labels: list[str], positive: Label | None, negative: str | None
) -> Target:
    try:
        return encode_target(
            target,
            labels,
            positive=None if positive is None else label(positive),
            negative=negative,
        )
    except DatasetError as error:
        raise TableFormatError(f"{path}: {error} ({_HOW_TO_NAME_BOTH})") from None


def _target_notes(target: str, has_label: npt.NDArray[np.bool_], found: Target) -> list[str]:
    notes = []
    if left_out := int((~has_label).sum()):
        rows = "1 row has" if left_out == 1 else f"{left_out} rows have"
        notes.append(f"{rows} no value in the target {target!r}, left out")
    if found.rest:
        notes.append(
            f"target {target!r}: {found.positive!r} is positive, all others are negative: "
            f"{_listed(list(found.rest))}"
        )
    return notes


def _check_columns(path: Path, table: Table) -> None:
    if not table.names:
        raise TableFormatError(f"{path} is empty")
    if twice := [name for name, count in Counter(table.names).items() if count > 1]:
        where = f"{path}, line 1" if table.written.lines is not None else str(path)
        raise TableFormatError(f"{where}: there are two columns {twice[0]!r}")
    if table.n_rows == 0:
        raise TableFormatError(f"{path} has no rows")
    if len(table.names) < 2:
        raise TableFormatError(f"{path} has one column; at least one input and a target are needed")


def _target_column(path: Path, table: Table, target: str | None, positive: Label | None) -> str:
    columns = list(table.names)
    if target is not None:
        if target not in columns:
            raise TableFormatError(f"{path} has no column {target!r}; it has {_listed(columns)}")
        return target
    if (found := _found_column(path, table, positive)) is not None:
        return found
    candidates = [name for name in columns if table.values(name).nunique() == 2]
    named = [name for name in candidates if name.lower() in _TARGET_NAMES]
    choice = f"one of {_listed(named or candidates)}" if candidates else "none has two values"
    raise TableFormatError(
        f"{path}: which column is the target? Name it ({_HOW_TO_NAME}): {choice}"
    )


def _found_column(path: Path, table: Table, positive: Label | None) -> str | None:
    """Return the column that is obviously the target."""
    columns = list(table.names)
    counts = {name: int(table.values(name).nunique()) for name in columns}
    candidates = [name for name in columns if counts[name] == 2]
    called_so = [name for name in columns if name.lower() in _TARGET_NAMES]
    named = [name for name in called_so if name in candidates]
    if len(named) == 1:
        return named[0]
    if named:
        return None
    likely = (*called_so, columns[-1])
    if one_class := [name for name in likely if counts[name] == 1]:
        raise TableFormatError(f"{path}: {_one_class(one_class[0], table)}")
    if columns[-1] in candidates:
        return columns[-1]
    if len(candidates) == 1 and not called_so:
        return candidates[0]
    if positive is None:
        return None
    has_label = (name for name in likely if label(positive) in labels_of(table, name).to_numpy())
    return next(has_label, None)


def _one_class(name: str, table: Table) -> str:
    value = labels_of(table, name).dropna().iloc[0]
    return (
        f"every row has the value {value!r} in {name!r}, but a target has two; add rows of the "
        f"other class, or name another column as target ({_HOW_TO_NAME})"
    )


def _attribute(name: str, column: pd.Series) -> Attribute:
    if column.dtype.kind not in "if":
        nullable = bool(column.isna().any())
        if column.dtype.kind == "M":
            return Attribute(name, "date", nullable=nullable)
        levels = tuple(sorted(column.dropna().unique()))
        return Attribute(name, "nominal", levels=levels, nullable=nullable)
    kind: Kind = "integer" if column.dtype.kind == "i" else "real"
    numbers = column.to_numpy()
    present = numbers[~np.isnan(numbers)]
    nullable = len(present) < len(numbers)
    if len(present) == 0:
        return Attribute(name, kind, nullable=nullable)
    return Attribute(name, kind, float(present.min()), float(present.max()), nullable=nullable)


def _listed(names: list[str], most: int = 8) -> str:
    return ", ".join(map(repr, names[:most])) + (", …" if len(names) > most else "")
