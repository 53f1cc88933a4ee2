"""Files of rows that cannot be learnt from: a list of real ones, packed in several ways."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from tests.support.trust.scoring import buyers

GOOD = buyers(30)
HEADER = "age,city,income,buys\n"
ROWS = GOOD.to_csv(index=False, header=False)


def _with(column: str, value: Any, row: int = 4) -> str:
    frame = GOOD.astype(object)
    frame.loc[row, column] = value
    return frame.to_csv(index=False)


def _all(column: str, values: Any) -> str:
    return GOOD.assign(**{column: values}).to_csv(index=False)


TEXTS: dict[str, str | bytes] = {
    "empty": "",
    "blank": "\n\n  \n",
    "mark only": b"\xef\xbb\xbf",
    "header only": HEADER,
    "no header name": ",,,\n" + ROWS,
    "one column": "buys\nyes\nno\n",
    "one row": HEADER + "30,Bern,10,yes\n",
    "column twice": HEADER.replace("city", "age") + ROWS,
    "short row": HEADER + ROWS + "30,Bern\n",
    "long row": HEADER + ROWS + "30,Bern,1,yes,no\n",
    "open quote": HEADER + '30,"Bern,1,yes\n' + ROWS,
    "long cell": HEADER + ROWS + f"30,{'x' * 200_000},1,yes\n",
    "zero byte": HEADER.encode() + b"30,Be\0rn,1,yes\n" + ROWS.encode(),
    "bytes": bytes(range(256)) * 20,
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(1, 255)),
    "document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(200),
    "one class": _all("buys", "yes"),
    "three classes": _all("buys", ["yes", "no", "maybe"] * 10),
    "many classes": _all("buys", list(map(str, range(30)))),
    "no label": _all("buys", ""),
    "no target": GOOD.drop(columns="buys").to_csv(index=False),
    "other columns": "a,b\n1,2\n3,4\n",
    "overflow": _with("income", "1e308"),
    "beyond": _with("income", "1e160"),
    "infinite": _with("income", "inf"),
    "beyond floats": _with("income", "1e999"),
    "denormal": "x,buys\n1e-320,yes\n2e-320,no\n3e-320,yes\n1e-320,no\n",
    "constant": "x,buys\n" + "1,yes\n1,no\n" * 10,
    "ids only": "id,buys\n" + "".join(f"{n},{'yes' if n % 2 else 'no'}\n" for n in range(40)),
    "names only": "who,buys\n" + "".join(f"n{n},{'yes' if n % 2 else 'no'}\n" for n in range(40)),
    "nothing but gaps": "x,buys\n" + ",yes\n,no\n" * 10,
    "html": "<html><body><p>404 Not Found</p></body></html>\n",
    "json error": '{"error": "not found"}\n',
    "a pickle": b"\x80\x04\x95\x1c\x00\x00\x00" + bytes(40),
    "xml": '<?xml version="1.0"?><a><b>1</b></a>',
    "half utf-16": HEADER.encode("utf-16")[:-1],
    "utf-32": (HEADER + "1").encode("utf-32")[:-2],
}

RECORDS: dict[str, str] = {
    "array of numbers": "[1, 2, 3]",
    "array cut": '[{"a": 1}',
    "number": "5",
    "null": "null",
    "deep": "[" * 100_000,
    "deep object": '{"a":' * 50_000,
    "text": '"hello"',
    "lines of lists": "[1]\n[2]\n",
    "cut line": '{"a": 1, "buys": "yes"}\n{"a":',
    "nan": '{"a": NaN, "buys": "yes"}\n{"a": Infinity, "buys": "no"}\n',
    "empty objects": "{}\n{}\n",
    "huge number": '{"a": ' + "9" * 5000 + ', "buys": "yes"}\n{"a": 1, "buys": "no"}\n',
    "surrogate": '{"a": "\\ud800", "buys": "yes"}\n{"a": "b", "buys": "no"}\n',
}


def bad_files(folder: Path) -> Iterator[Path]:
    """Write all bad files, one after the other."""
    for number, (name, data) in enumerate(_contents()):
        place = folder / f"n{number}"
        place.mkdir(parents=True)
        path = place / name
        path.write_bytes(data)
        yield path


def _contents() -> Iterator[tuple[str, bytes]]:
    for text in TEXTS.values():
        data = text.encode() if isinstance(text, str) else text
        yield "t.csv", data
        yield "t.tsv", data.replace(b",", b"\t")
        yield "t.csv.gz", gzip.compress(data)
        yield "t.csv.zip", zipped({"t.csv": data})
        yield "t.csv.zst", bytes(pa.compress(data, codec="zstd", asbytes=True)) if data else b""
    for text in RECORDS.values():
        for name in ("t.json", "t.jsonl", "t.ndjson"):
            yield name, text.encode()
    for name, data in _packed_wrongly():
        yield name, data
    for name, data in _cut():
        yield name, data
    yield from _keel()


def zipped(members: dict[str, bytes]) -> bytes:
    """Return a zip archive."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return whole.getvalue()


def _whole_files() -> dict[str, bytes]:
    parquet, excel = io.BytesIO(), io.BytesIO()
    GOOD.to_parquet(parquet)
    GOOD.to_excel(excel, index=False)
    text = GOOD.to_csv(index=False).encode()
    lines = "\n".join(json.dumps(one) for one in GOOD.to_dict("records")).encode()
    return {
        "t.parquet": parquet.getvalue(),
        "t.xlsx": excel.getvalue(),
        "t.csv.gz": gzip.compress(text),
        "t.csv.zip": zipped({"t.csv": text}),
        "t.jsonl.gz": gzip.compress(lines),
    }


def _cut() -> Iterator[tuple[str, bytes]]:
    """Yield good files cut short, or with bytes changed in the middle."""
    rng = np.random.default_rng(0)
    for name, data in _whole_files().items():
        for share in (0.0, 0.1, 0.5, 0.9, 0.99):
            yield name, data[: int(share * len(data))]
        for _ in range(3):
            noise = bytearray(data)
            for place in rng.integers(0, len(data), 40):
                noise[place] ^= 0xFF
            yield name, bytes(noise)


def _packed_wrongly() -> Iterator[tuple[str, bytes]]:
    text = GOOD.to_csv(index=False).encode()
    for ending in (".gz", ".zip", ".zst"):
        yield f"t.csv{ending}", text
        yield f"t.csv{ending}", b""
        yield f"t.csv{ending}", b"PK\x03\x04" + bytes(20)
        yield f"t.xls{ending}", text
    yield "t.csv.zip", zipped({})
    yield "t.csv.zip", zipped({"a.csv": text, "b.csv": text})
    yield "t.csv.zip", zipped({"a.txt": text})
    yield "t.csv.zip", zipped({"a.csv": bytes(80_000_000)})
    yield "t.csv.gz", gzip.compress(bytes(80_000_000))
    for ending in (".parquet", ".pq", ".xlsx", ".xlsm", ".xls", ".dat", ".doc", ".pkl", ".txt"):
        yield f"t{ending}", text
        yield f"t{ending}", b""


def _keel() -> Iterator[tuple[str, bytes]]:
    head = "@relation t\n@attribute x real\n@attribute buys {yes, no}\n@data\n"
    for text in (
        "@relation t\n",
        "@data\n1,yes\n",
        head,
        head + "1\n",
        head + "1,maybe\n2,no\n",
        head + "a,yes\n2,no\n",
        head + "1,?\n2,no\n",
        head.replace("real", "complex") + "1,yes\n2,no\n",
        head.replace("{yes, no}", "real") + "1,2\n",
        head + "1e308,yes\n2,no\n3,yes\n4,no\n",
        head + "1e999,yes\n2,no\n3,yes\n4,no\n",
        head.replace("x", "buys") + "1,yes\n",
    ):
        yield "t.dat", text.encode()


def bad_frame_file(folder: Path, frame: pd.DataFrame, number: int) -> Path:
    """Write a frame as Parquet, which keeps its types, or else as CSV."""
    place = folder / f"f{number}"
    place.mkdir(parents=True)
    try:
        frame.to_parquet(place / "t.parquet")
    except (pa.ArrowException, ValueError, TypeError, OverflowError, AttributeError):
        (place / "t.parquet").unlink(missing_ok=True)
        frame.to_csv(place / "t.csv", index=False, errors="replace")
        return place / "t.csv"
    return place / "t.parquet"
