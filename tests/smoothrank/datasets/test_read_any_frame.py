"""A frame that is written in any supported way is read back as the same frame."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank.datasets.files.read_table import Table, read_table

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]
finite = st.floats(allow_nan=False, allow_infinity=False)
number = finite | st.floats(-1e4, 1e4).map(lambda x: round(x, 3)) | st.integers(-99, 99).map(float)
inside = st.text(st.sampled_from("abcäöüß ,;|\t\"'.-+/0123\n"), max_size=8)
text = inside.map(lambda middle: f"x{middle}y")
moment = st.datetimes(pd.Timestamp("1900-01-01"), pd.Timestamp("2100-01-01")).map(
    lambda when: when.replace(microsecond=0)
)


@dataclass(frozen=True)
class Form:
    sep: str
    decimal: str
    encoding: str
    packing: str

    @property
    def ending(self) -> str:
        if self.packing == ".zip":
            return ".zip"
        return ".csv" + self.packing


forms = st.builds(
    Form,
    st.sampled_from(",;\t|"),
    st.sampled_from(".,"),
    st.sampled_from(ENCODINGS),
    st.sampled_from(["", ".gz", ".zip", ".zst"]),
)


@st.composite
def frames(draw):
    rows = draw(st.integers(2, 12))

    def column(values, dtype, missing):
        cells = draw(st.lists(values, min_size=rows, max_size=rows))
        series = pd.Series(cells, dtype=dtype)
        if missing and draw(st.booleans()):
            series.iloc[draw(st.integers(1, rows - 1))] = None
        return series

    whole = st.integers(-(2**62), 2**62)
    return pd.DataFrame(
        {
            # One number that shows the decimal mark, which the others may leave open.
            "sure": pd.Series([0.5, *draw(st.lists(number, min_size=rows - 1, max_size=rows - 1))]),
            "real": column(number, np.float64, missing=True),
            "whole": column(whole, np.int64, missing=False),
            "text": column(text, "str", missing=True),
            "when": column(moment, "datetime64[us]", missing=True),
            "flag": column(st.sampled_from(["True", "False"]), "str", missing=False),
        }
    )


def packed(data: bytes, packing: str) -> bytes:
    if packing == ".gz":
        return gzip.compress(data)
    if packing == ".zst":
        return bytes(pa.compress(data, codec="zstd", asbytes=True))
    if packing == ".zip":
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w") as archive:
            archive.writestr("table.csv", data)
        return whole.getvalue()
    return data


def frame_of(table: Table) -> pd.DataFrame:
    return pd.DataFrame({name: table.values(name) for name in table.names})


def with_15_digits(frame: pd.DataFrame) -> pd.DataFrame:
    """Return what Excel can hold of a frame's numbers."""
    short = {name: frame[name].map(lambda x: float(f"{x:.15g}")) for name in ("sure", "real")}
    return frame.assign(whole=frame["whole"] // 2**13, **short)


@given(frames(), forms)
@settings(max_examples=80, deadline=None)
def test_a_written_frame_is_read_back(tmp_path_factory, frame, form):
    path = tmp_path_factory.getbasetemp() / f"frame{form.ending}"
    written = frame.to_csv(index=False, sep=form.sep, decimal=form.decimal)
    path.write_bytes(packed(written.encode(form.encoding), form.packing))
    pd.testing.assert_frame_equal(frame_of(read_table(path)), frame, check_exact=True)


@given(frames())
@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("ending", [".parquet", ".jsonl", ".xlsx"])
def test_other_kinds_of_files_too(tmp_path_factory, ending, frame):
    path = tmp_path_factory.getbasetemp() / f"frame{ending}"
    if ending == ".parquet":
        frame.to_parquet(path)
    elif ending == ".jsonl":
        records = frame.assign(when=frame["when"].astype("str")).to_dict("records")
        path.write_text("\n".join(json.dumps(record) for record in records))
    else:
        frame = with_15_digits(frame)
        frame.to_excel(path, index=False)
    read = frame_of(read_table(path))
    if ending == ".xlsx":  # to Excel 1.0 is 1
        read[["sure", "real"]] = read[["sure", "real"]].astype(np.float64)
    pd.testing.assert_frame_equal(read, frame, check_exact=True)
