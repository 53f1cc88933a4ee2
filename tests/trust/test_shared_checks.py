"""What training refuses, validation refuses: both load a file in the same way."""

from __future__ import annotations

import os
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from smoothrank.datasets.errors import DatasetError, TableFormatError
from smoothrank.datasets.files.read_table import read_table
from smoothrank.datasets.options import ColumnOptions
from tasks.problem.user_file import load_user_file
from tasks.validation.validate_file import OwnFile, validate_file
from tests.support.trust.scoring import buyers, write_rows

ALL = os.environ.get("SMOOTHRANK_BAD_INPUT") == "all"
SECONDS = 10.0


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))


def table(column: str, value: float) -> str:
    frame = buyers()
    frame.loc[5, column] = value
    return frame.to_csv(index=False)


TABLES = {
    "overflow": (table("income", 1e308), "column 'income' has 1e\\+308 in row 6"),
    "negative": (table("income", -1e150), "column 'income' has -1e\\+150 in row 6"),
    "denormal": ("x,buys\n" + "1e-320,yes\n3e-320,no\n" * 9, "column 'x' differ by 2e-320"),
    "constant": ("x,buys\n" + "1,yes\n1,no\n" * 9, "no column is left to learn from"),
    "gaps": ("x,buys\n" + ",yes\n,no\n" * 9, "no column is left to learn from: 'x': no values"),
}


@pytest.mark.parametrize("name", TABLES)
def test_training_and_validation_refuse_the_same(tmp_path, name):
    text, said = TABLES[name]
    path = write_rows(tmp_path, text)
    with pytest.raises(DatasetError, match=said):
        load_user_file(path, "buys", "yes")
    with pytest.raises(DatasetError, match=said):
        validate_file(OwnFile(path, "buys", "yes"))
    assert not OwnFile(path).suite.exists()


def test_a_later_file_is_checked_as_the_first_one(tmp_path):
    path = write_rows(tmp_path, buyers().to_csv(index=False))
    assert validate_file(OwnFile(path, "buys", "yes", range_margin=float("inf"))).passed
    write_rows(tmp_path, table("income", 1e308))
    with pytest.raises(DatasetError, match="distances overflow"):
        validate_file(OwnFile(path, "buys", "yes"))


def test_a_column_that_is_left_out_may_hold_anything(tmp_path):
    path = write_rows(tmp_path, table("income", 1e308))
    without = ColumnOptions(drop=("income",))
    assert len(load_user_file(path, "buys", "yes", columns=without).y) == 70
    kept = ColumnOptions(keep_only=("age", "city"))
    assert len(load_user_file(path, "buys", "yes", columns=kept).y) == 70


@pytest.mark.long
def test_thousands_of_columns_that_all_fail_take_seconds(tmp_path):
    rng, n = np.random.default_rng(0), 10_000 if ALL else 2_000
    names = ",".join(f"c{i}" for i in range(n)) + ",y\n"

    def rows(shift: float) -> str:
        lines = (",".join(f"{x:.4f}" for x in rng.normal(shift, 1.0, n)) for _ in range(40))
        return names + "".join(f"{line},{i % 2}\n" for i, line in enumerate(lines))

    path = write_rows(tmp_path, rows(0.0))
    start = time.process_time()
    assert validate_file(OwnFile(path, "y", "1")).passed
    first = time.process_time() - start
    write_rows(tmp_path, rows(50.0))
    start = time.process_time()
    result = validate_file(OwnFile(path, "y", "1"))
    again = time.process_time() - start
    assert len(result.failures) == n
    print(f"first {first:.1f} s, all failing {again:.1f} s")
    assert max(first, again) < SECONDS


def test_a_parquet_file_of_very_many_rows_is_refused_unread(tmp_path, monkeypatch):
    path = tmp_path / "bomb.parquet"
    block = pa.table({"x": pa.array(np.zeros(1_000_000)), "y": pa.array(np.zeros(1_000_000))})
    with pq.ParquetWriter(path, block.schema, compression="zstd") as writer:
        for _ in range(40):
            writer.write_table(block)
    assert path.stat().st_size < 1_000_000
    monkeypatch.setattr(pq, "read_table", lambda *_: pytest.fail("it was read"))
    with pytest.raises(TableFormatError, match=r"80,000,000 cells .*; take a sample of its rows"):
        read_table(path)
