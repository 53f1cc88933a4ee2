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
    from smoothrank.tables.columns import TableColumn
    from smoothrank.tables.encoder import TableEncoder
    from smoothrank.tables.left_out import LeftOut

    encoder = TableEncoder(ColumnOptions(**_with_tuples(described["options"])))
    encoder.columns_ = tuple(TableColumn(**_with_tuples(c)) for c in described["table_columns"])
    encoder.left_out_ = tuple(LeftOut(**column) for column in described["left_out"])
    return encoder


def _with_tuples(described: Content) -> Content:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in described.items()}


def _rebuild_plain_encoder(described: Content) -> Encoder:
    from smoothrank.tables.one_hot import Column, Encoder

    encoder = Encoder(missing=described["missing"])
    encoder.columns_ = tuple(Column(**_with_tuples(column)) for column in described["columns"])
    encoder.feature_names_in_ = np.array([c.name for c in encoder.columns_], dtype=object)
    encoder.n_features_in_ = len(encoder.columns_)
    return encoder
