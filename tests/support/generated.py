"""Hypothesis strategies for data sets, and what it means that two are equal."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from smoothrank.datasets import Attribute, Dataset, Schema

TRICKY = [
    "?",
    "<null>",
    "%",
    "@data",
    "a,b",
    "{x}",
    "[0, 1]",
    "'",
    '"',
    "\\",
    "",
    " ",
    "\n",
    "é",
    "#",
]
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.sampled_from(TRICKY),
    st.from_regex(r"[A-Za-z][\w-]{0,8}", fullmatch=True),
)
finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def numeric_columns(draw, name, rows):
    kind = draw(st.sampled_from(["real", "integer"]))
    nullable = draw(st.booleans())
    most = 2**53 - 1 if nullable else 2**63 - 1
    number = st.integers(-most, most) if kind == "integer" else finite
    values = draw(st.lists(number, min_size=rows, max_size=rows))
    column = pd.Series(values, dtype=np.int64 if kind == "integer" else np.float64)
    if nullable:
        column = column.astype(np.float64)
        column.iloc[draw(st.integers(0, rows - 1))] = np.nan
    bounds = draw(st.none() | st.tuples(finite, finite))
    low, high = bounds or (None, None)
    return Attribute(name, kind, low, high, nullable=nullable), column


@st.composite
def nominal_columns(draw, name, rows):
    levels = draw(st.lists(texts, unique=True, min_size=1, max_size=4))
    choice = st.sampled_from([*levels, None] if draw(st.booleans()) else levels)
    column = pd.Series(draw(st.lists(choice, min_size=rows, max_size=rows)), dtype="str")
    nullable = bool(column.isna().any())
    return Attribute(name, "nominal", levels=tuple(levels), nullable=nullable), column


@st.composite
def datasets(draw):
    rows = draw(st.integers(1, 6))
    names = draw(st.lists(texts, unique=True, min_size=2, max_size=5))
    columns = [
        draw(numeric_columns(name, rows) | nominal_columns(name, rows)) for name in names[:-1]
    ]
    labels = draw(st.lists(texts, unique=True, min_size=2, max_size=2))
    signs = draw(st.lists(st.sampled_from([1, -1]), min_size=rows, max_size=rows))
    relation = draw(texts)
    schema = Schema(
        relation,
        tuple(attribute for attribute, _ in columns),
        Attribute(names[-1], "nominal", levels=tuple(labels)),
        draw(st.sampled_from(labels)),
    )
    frame = pd.DataFrame({attribute.name: column for attribute, column in columns})
    return Dataset(relation, frame, np.array(signs, dtype=np.int64), schema, "")


def assert_equal(first: Dataset, second: Dataset) -> None:
    assert first.name == second.name
    assert first.schema == second.schema
    pd.testing.assert_frame_equal(first.X, second.X, check_exact=True)
    assert first.y.dtype == second.y.dtype
    assert first.y.tolist() == second.y.tolist()
