"""Crafted `params.yaml`, suites and archives of the UCI: named errors."""

from __future__ import annotations

import copy
import io
import json
import os
import zipfile

import pytest

from smoothrank.datasets.catalogue import fetch
from smoothrank.datasets.catalogue.uci import uci_files
from smoothrank.errors import SmoothrankError
from tasks.project.config import ConfigError, load_params
from tasks.validation.suites.expectations import SuiteError, read_suite
from tests.support.checkout.repository import ROOT

LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{c}: &{c} [*{p}, *{p}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)
)
PARAMS = {
    "alias bomb": LAUGHS,
    "alias": "split: &s {seed: 1}\nselection: *s\n",
    "deep list": "a: " + "[" * 5000,
    "deep mapping": "{a: " * 5000,
    "deep blocks": "".join(" " * n + f"a{n}:\n" for n in range(2000)),
    "long number": "split: {seed: " + "9" * 10_000 + "}",
    "tag": "split: !!python/object/apply:os.system [id]",
    "list": "[1, 2]",
    "text": "hello",
    "long value": "training: {method: [" + ", ".join("x" for _ in range(20_000)) + "]}",
    "many keys": "".join(f"k{n}: 1\n" for n in range(500)),
    "number key": "1: 2",
    "nan": "gate: {significance: .nan}",
    "zero byte": "split: \0",
    "merge": "split: {<<: {seed: x}}",
    "large": "#" + "x" * 2_000_000,
}


@pytest.mark.parametrize("name", PARAMS)
def test_a_crafted_configuration_is_refused_in_a_line(tmp_path, name):
    (tmp_path / "params.yaml").write_text(PARAMS[name])
    with pytest.raises(ConfigError) as caught:
        load_params(tmp_path)
    assert str(tmp_path / "params.yaml") in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_configuration_that_is_no_file(tmp_path, kind):
    path = tmp_path / "params.yaml"
    make = {"pipe": os.mkfifo, "device": lambda p: p.symlink_to("/dev/zero"), "folder": os.mkdir}
    make[kind](path)
    with pytest.raises(ConfigError, match=kind):
        load_params(tmp_path)


def _with(path, value):
    def change(suite):
        place = suite
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = value
        return suite

    return change


FIRST = ("expectations", 0)
SUITES = {
    "list": lambda suite: [suite],
    "null": lambda suite: None,
    "meta list": _with(["meta"], []),
    "target list": _with(["meta", "target"], ["Class"]),
    "positive number": _with(["meta", "positive"], 5),
    "share text": _with(["meta", "positive_share"], "half"),
    "expectations object": _with(["expectations"], {}),
    "expectation text": _with(["expectations"], ["expect"]),
    "type number": _with([*FIRST, "type"], 5),
    "kwargs list": _with([*FIRST, "kwargs"], []),
    "meta text": _with([*FIRST, "meta"], "x"),
    "column list": _with([*FIRST, "kwargs", "column"], ["a"]),
    "column_list text": _with([*FIRST, "kwargs", "column_list"], "abc"),
    "column_list gone": _with([*FIRST, "kwargs"], {}),
    "mostly text": _with(["expectations", 1, "kwargs", "mostly"], "often"),
    "mostly above": _with(["expectations", 1, "kwargs", "mostly"], 7),
    "regex broken": _with(["expectations", 1, "kwargs", "regex"], "(("),
    "value_set text": _with(["expectations", 1, "kwargs", "value_set"], "abc"),
    "bound object": _with(["expectations", 1, "kwargs", "min_value"], {}),
    "kind unknown": _with(["expectations", 1, "meta"], {"kind": "soup"}),
    "table unknown": _with(["expectations", 1, "meta"], {"table": "soup"}),
    "severity list": _with(["expectations", 1, "severity"], []),
}


@pytest.fixture(scope="module")
def suite():
    return json.loads((ROOT / "expectations" / "iris0.json").read_text())


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_with_wrong_types_is_refused(tmp_path, suite, name):
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(SUITES[name](copy.deepcopy(suite))))
    with pytest.raises(SuiteError, match="is not a suite"):
        read_suite(path)


@pytest.mark.parametrize("text", ["[" * 200_000, "", "{", "\0", "NaN"])
def test_a_suite_that_is_none(tmp_path, text):
    (tmp_path / "suite.json").write_text(text)
    with pytest.raises(SuiteError):
        read_suite(tmp_path / "suite.json")


def test_every_stored_suite_is_taken():
    for path in sorted((ROOT / "expectations").glob("*.json")):
        assert read_suite(path)["expectations"]


def test_an_encrypted_archive_is_a_named_error(monkeypatch):
    name, uci = next(iter(uci_files().items()))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr(uci.file, "1,2,3\n")
    data = bytearray(whole.getvalue())
    central = data.index(b"PK\x01\x02")
    data[6] |= 1  # the flag of encryption, in the member's header and in the directory
    data[central + 8] |= 1
    monkeypatch.delenv(fetch.MIRROR_VARIABLE, raising=False)
    monkeypatch.setattr(fetch, "download_bytes", lambda url: bytes(data))
    with pytest.raises(SmoothrankError, match="encrypted"):
        fetch.source_bytes(name, f"uci:{name}")
