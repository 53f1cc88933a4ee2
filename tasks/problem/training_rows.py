"""Which rows a model was trained on: their hashes, kept with its run, and which rows are unseen."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tasks.problem.row_parts import RowSplit, row_hashes
from tasks.problem.split_rule import Flags, SplitRule

ROWS_FILE = "training_rows.npy"
RULE_FILE = "split.json"
FILES = (ROWS_FILE, RULE_FILE)


def training_rows_files(split: RowSplit) -> dict[str, bytes]:
    """Return the hashes of the training rows and the rule that says what was hashed, as files."""
    hashes = split.hashes
    rows = np.stack([hashes.content, hashes.keys], axis=1)[split.train]
    buffer = io.BytesIO()
    np.save(buffer, rows, allow_pickle=False)
    rule = (split.rule.model_dump_json(indent=1) + "\n").encode()
    return {ROWS_FILE: buffer.getvalue(), RULE_FILE: rule}


def unseen_rows(folder: Path, split: RowSplit) -> Flags | None:
    """Return which of the present test rows the model of a run was not trained on.

    Returns
    -------
    ndarray of bool or None
        One for each test row; None if it is not known.
    """
    seen = seen_rows(folder, split)
    if seen is None:
        return None
    kin = split.hashes.keys
    return ~np.isin(kin[split.test], kin[seen])


def seen_rows(folder: Path, split: RowSplit) -> Flags | None:
    """Return which of the present rows the model of a run was trained on.

    A row was seen if a row of the same content, id or group was trained on.

    Parameters
    ----------
    folder : Path
        The run's files.
    split : RowSplit
        The present rows.

    Returns
    -------
    ndarray of bool or None
        One for each row; None if it is not known.
    """
    known = _read(folder)
    if known is None:
        return None
    rule, rows = known
    frame = split.dataset.X
    needed = {*rule.columns, *([rule.key] if rule.key is not None else [])}
    if not needed <= set(frame.columns):
        return None
    present = row_hashes(frame, rule)
    return np.asarray(np.isin(present.content, rows[:, 0]) | np.isin(present.keys, rows[:, 1]))


def _read(folder: Path) -> tuple[SplitRule, npt.NDArray[np.uint64]] | None:
    try:
        rule = SplitRule.model_validate_json((folder / RULE_FILE).read_text("utf-8"))
        rows = np.load(folder / ROWS_FILE, allow_pickle=False)
    except (OSError, ValueError):
        return None
    return (rule, rows) if rows.ndim == 2 and rows.shape[1] == 2 else None
