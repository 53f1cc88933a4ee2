"""Texts that a spreadsheet would take for formulas, made harmless before they are written.

A cell that begins with =, +, - or @ is computed when a CSV file is opened in a spreadsheet, and may
read other cells or call other programs. With an apostrophe before it, it is a text.
"""

from __future__ import annotations

import pandas as pd

_STARTS = r"^[=+\-@\t\r]"
_NUMBER = r"^[+\-]?(?:[0-9][0-9.,' \u00a0\u2009\u202f\u2019]*|[.,][0-9]+)(?:[eE][+\-]?[0-9]+)? ?%?$"
_SIGNS = r"^[+\-]+$|^[+\-](?i:inf|infinity)$"


def harmless(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose texts, names of columns among them, are no formulas.

    Numbers stay as they are, also where they are written as texts, and so do signs alone.
    """
    names = [_harmless_name(name) for name in frame.columns]
    columns = [_harmless_column(frame.iloc[:, place]) for place in range(frame.shape[1])]
    return pd.concat(columns, axis="columns").set_axis(names, axis="columns") if columns else frame


def _harmless_name(name: object) -> object:
    return (
        _harmless_column(pd.Series([name], dtype="str")).iloc[0] if isinstance(name, str) else name
    )


def _harmless_column(values: pd.Series) -> pd.Series:
    if not (pd.api.types.is_string_dtype(values.dtype) or values.dtype == object):
        return values
    texts = values.where(values.map(lambda value: isinstance(value, str)))
    texts = texts.astype("str")
    risky = texts.str.match(_STARTS) & ~texts.str.match(_NUMBER) & ~texts.str.match(_SIGNS)
    risky = risky.fillna(value=False).astype(bool)
    return values.where(~risky, "'" + texts) if risky.any() else values
