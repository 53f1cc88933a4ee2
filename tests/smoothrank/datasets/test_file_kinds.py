"""Packed files, Excel, JSON, folders of Parquet files, and what is refused."""

from __future__ import annotations

import gzip
import io
import zipfile

import pandas as pd
import pyarrow as pa
import pytest

from smoothrank.datasets import load_file
from smoothrank.datasets.errors import DatasetError
from smoothrank.datasets.files import unpack
from smoothrank.datasets.files.paths import table_checksum, table_name
from tasks.problem.source import fetch_source
from tasks.tracking.provenance import data_md5

CSV = b"a,b,y\n1,x,0\n2,y,1\n3,x,0\n"
FRAME = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "x"], "y": [0, 1, 0]})


def zipped(**members: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return whole.getvalue()


def json_lines() -> bytes:
    return FRAME.to_json(orient="records", lines=True).encode()


def in_memory(write) -> bytes:
    whole = io.BytesIO()
    write(whole)
    return whole.getvalue()


def only_texts(value: object) -> str:
    """Name a case without its bytes, which differ from one process to the next."""
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("own.csv.gz", gzip.compress(CSV)),
        ("own.CSV", CSV),
        ("own.tsv.gz", gzip.compress(CSV.replace(b",", b"\t"))),
        ("own.csv.zst", bytes(pa.compress(CSV, codec="zstd", asbytes=True))),
        ("own.zip", zipped(data__own_csv=CSV, readme_txt=b"hello")),
        ("own.csv.zip", zipped(own_csv=CSV)),
        ("own.jsonl", json_lines()),
        ("own.ndjson.gz", gzip.compress(json_lines())),
        ("own.json", FRAME.to_json(orient="records").encode()),
        ("own.xlsx", in_memory(lambda file: FRAME.to_excel(file, index=False))),
        ("own.parquet", in_memory(FRAME.to_parquet)),
        ("own.parquet.gz", gzip.compress(in_memory(FRAME.to_parquet))),
    ],
    ids=only_texts,
)
def test_each_kind_is_read_as_its_name_says(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    own = load_file(tmp_path / name)
    pd.testing.assert_frame_equal(own.X, FRAME[["a", "b"]].astype({"b": "str"}))
    assert own.name == "own"
    assert fetch_source(str(tmp_path / name)).name == "own"
    assert own.checksum == fetch_source(str(tmp_path / name)).checksum


def test_an_excel_file_of_several_sheets_says_which_was_read(tmp_path):
    with pd.ExcelWriter(tmp_path / "own.xlsx") as book:
        pd.DataFrame().to_excel(book, sheet_name="Empty")
        FRAME.to_excel(book, sheet_name="Data", index=False)
        FRAME.to_excel(book, sheet_name="Old", index=False)
    assert load_file(tmp_path / "own.xlsx").notes == ("the sheet 'Data' was read; 'Old' was not",)


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "sales"
    (home / "year=2024").mkdir(parents=True)
    FRAME.iloc[:2].to_parquet(home / "part-1.parquet")
    FRAME.iloc[2:].astype({"a": float}).to_parquet(home / "year=2024" / "part-2.parquet")
    (home / "_SUCCESS").touch()
    return home


def test_a_folder_of_parquet_files_is_one_table(folder):
    own = load_file(folder)
    assert own.name == "sales"
    assert own.X["a"].tolist() == [1, 2, 3]
    assert own.X["year"].tolist()[2] == 2024
    source = fetch_source(str(folder))
    assert (source.name, source.checksum) == ("sales", own.checksum)
    FRAME.to_parquet(folder / "part-3.parquet")
    assert table_checksum(folder) != own.checksum


def test_a_pattern_is_one_table(folder, monkeypatch):
    monkeypatch.chdir(folder)
    pattern = folder / "part-*.parquet"
    assert load_file(pattern).X["a"].tolist() == [1, 2]
    assert fetch_source("part-*.parquet").name == "part"
    assert load_file(fetch_source("part-*.parquet").path).checksum == table_checksum(pattern)
    assert table_name(folder / "*.parquet") == "sales"
    assert table_name(folder / "**" / "*.parquet") == "sales"
    assert len(load_file(folder / "**" / "*.parquet").y) == 3


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("own.csv.gz", b"no", r"cannot unpack .*own\.csv\.gz"),
        ("own.csv.gz", gzip.compress(CSV)[:-9], r"cannot unpack .*own\.csv\.gz"),
        ("own.zip", b"no", r"cannot unpack .*own\.zip"),
        ("own.csv.zst", b"no", r"cannot unpack .*own\.csv\.zst"),
        ("own.zip", zipped(a_csv=CSV, b_csv=CSV), r"has 2 tables inside \(a\.csv, b\.csv\)"),
        ("own.zip", zipped(a_txt=CSV), r"has no table inside \(a\.txt\)"),
        ("own.gz", gzip.compress(CSV), r"cannot read .*own\.gz: expected a \.csv"),
        ("own.xls", b"", r"is an old Excel file; save it as \.xlsx"),
        ("own.xlsx", b"no", r"cannot read .*own\.xlsx as Excel"),
        ("own.xlsx", zipped(a_csv=CSV), r"cannot read .*own\.xlsx as Excel"),
        ("own.jsonl", b'{"a": 1}\n{oops\n', r"own\.jsonl, line 2: not JSON"),
        ("own.jsonl", b'{"a": 1}\n[1]\n', r"own\.jsonl, line 2: expected an object"),
        ("own.json", b"[1, 2]", r"value 1 of the array is not an object"),
        ("own.csv.gz", gzip.compress(b"0," * 10**8), r"grows more than 300 times"),
        ("own.zip", zipped(a_csv=b"0," * 10**8), r"grows more than 300 times"),
        ("own.xlsx", zipped(a_xml=b"0," * 10**8), r"grows more than 300 times"),
    ],
    ids=only_texts,
)
def test_what_cannot_be_read_is_named(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DatasetError, match=message) as error:
        load_file(tmp_path / name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "data"), [("own.csv", CSV), ("own.csv.gz", gzip.compress(CSV))], ids=only_texts
)
def test_there_is_a_limit(tmp_path, monkeypatch, name, data):
    (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(unpack, "MAX_BYTES", 20)
    with pytest.raises(DatasetError, match="take a sample of its rows"):
        load_file(tmp_path / name)


def test_folders_and_patterns_without_a_table_are_named(tmp_path, monkeypatch):
    with pytest.raises(DatasetError, match="has no Parquet files"):
        load_file(tmp_path)
    with pytest.raises(DatasetError, match=r"no file matches .*\*\.parquet"):
        load_file(tmp_path / "*.parquet")
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(CSV)
    with pytest.raises(DatasetError, match="only Parquet files are read together"):
        load_file(tmp_path / "*.csv")
    FRAME.to_parquet(tmp_path / "c.parquet")
    FRAME.assign(a=["x", "y", "z"]).to_parquet(tmp_path / "d.parquet")
    with pytest.raises(DatasetError, match="the files' columns do not match"):
        load_file(tmp_path / "*.parquet")


def test_a_folder_has_one_md5_too(folder):
    source = fetch_source(str(folder))
    before = data_md5(source)
    assert len(before) == 32
    FRAME.to_parquet(folder / "part-3.parquet")
    assert data_md5(source) != before
