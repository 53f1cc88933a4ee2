"""How the rows were split between training and test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SplitSummary:
    """How the rows were split.

    Parameters
    ----------
    n_train, n_test : int
        Rows of each part.
    positives_train, positives_test : int
        Positive rows among them.
    n_folds : int
        Folds, all repeats counted.
    test_rows : str
        A checksum of the numbers of the test rows.
    split_by : str
        What decides a row's part: its content, an id, a group, a time, or chance.
    split_note : str
        Why a new split was drawn although there was one; else empty.
    """

    n_train: int
    n_test: int
    positives_train: int
    positives_test: int
    n_folds: int
    test_rows: str
    split_by: str
    split_note: str
