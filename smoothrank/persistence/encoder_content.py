"""What a saved model holds of its encoder."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from smoothrank.errors import SmoothrankError

if TYPE_CHECKING:
    from smoothrank.tables.encoder import TableEncoder
    from smoothrank.tables.one_hot import Encoder

Content = dict[str, Any]


class ModelFileError(SmoothrankError):
    """A saved model is missing, damaged, changed, or of another version."""


def describe_encoder(encoder: Encoder | TableEncoder) -> Content:
    """Return everything needed to rebuild a fitted encoder."""
    from smoothrank.tables.encoder import TableEncoder

    if isinstance(encoder, TableEncoder):
        return {
            "options": asdict(encoder.columns),
            "table_columns": [asdict(column) for column in encoder.columns_],
            "left_out": [asdict(column) for column in encoder.left_out_],
        }
    for column in encoder.columns_:
        if not isinstance(column.name, str):
            raise ModelFileError(
                f"The column {column.name!r} cannot be saved: its name is no text. "
                "Give the columns names."
            )
    return {
        "missing": encoder.missing,
        "columns": [asdict(column) for column in encoder.columns_],
    }


def rebuild_encoder(described: Content) -> Encoder | TableEncoder:
    """Rebuild the encoder from its description."""
    if "table_columns" in described:
        return _rebuild_table_encoder(described)
    return _rebuild_plain_encoder(described)


def _rebuild_table_encoder(described: Content) -> TableEncoder:
    from smoothrank.datasets.options import ColumnOptions
    from smoothrank.persistence.plain_values import mapping, mappings, text
    from smoothrank.tables.columns import TableColumn
    from smoothrank.tables.encoder import TableEncoder
    from smoothrank.tables.left_out import LeftOut

    columns, left_out = mappings(described, "table_columns"), mappings(described, "left_out")
    for one in columns:
        _check_table_column(one)
    for one in left_out:
        text(one, "reason")
    encoder = TableEncoder(ColumnOptions(**_with_tuples(mapping(described, "options"))))
    encoder.columns_ = tuple(TableColumn(**_with_tuples(one)) for one in columns)
    encoder.left_out_ = tuple(LeftOut(**one) for one in left_out)
    return encoder


def _check_table_column(column: Content) -> None:
    """Refuse a column whose values are of other types than those of a `TableColumn`."""
    from smoothrank.persistence.plain_values import choice, flag, number, text, texts, wrong
    from smoothrank.tables.columns import PERIODS

    text(column, "name")
    if choice(column, "kind", ("number", "levels", "date")) == "levels":
        text(column, "fill")
        if not texts(column, "levels"):
            raise wrong("levels", "at least one", [])
    else:
        number(column, "fill")
    for key in ("has_other", "marks_missing"):
        flag({key: False, **column}, key)
    number({"missing_share": 0.0, **column}, "missing_share")
    if column.get("rare") is not None:
        texts(column, "rare")
    if unknown := set(texts({"parts": [], **column}, "parts")) - set(PERIODS):
        raise wrong("parts", f"among {', '.join(PERIODS)}", sorted(unknown))


def _with_tuples(described: Content) -> Content:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in described.items()}


def _rebuild_plain_encoder(described: Content) -> Encoder:
    from smoothrank.persistence.plain_values import choice, mappings, number, text, texts
    from smoothrank.tables.one_hot import Column, Encoder

    choice(described, "missing", ("error", "impute"))
    for one in mappings(described, "columns"):
        text(one, "name")
        if one.get("levels") is None:
            number(one, "fill")
        else:
            texts(one, "levels")
            text(one, "fill")
    encoder = Encoder(missing=described["missing"])
    encoder.columns_ = tuple(Column(**_with_tuples(column)) for column in described["columns"])
    encoder.feature_names_in_ = np.array([c.name for c in encoder.columns_], dtype=object)
    encoder.n_features_in_ = len(encoder.columns_)
    return encoder
