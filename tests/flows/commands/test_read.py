"""Users' files through the installed command, in a process and a folder of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.smoothrank.datasets.test_nasty_files import GERMAN

COMMAND = Path(sys.executable).with_name("smoothrank")


def smoothrank(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(COMMAND), *arguments],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_german_export_is_described(tmp_path):
    (tmp_path / "kunden.csv").write_bytes(GERMAN)
    done = smoothrank(tmp_path, "data", "describe", "kunden.csv")
    assert (done.returncode, done.stderr) == (0, "")
    said = "separator ';', encoding Windows-1252 (Latin-1), decimal comma, thousands mark '.'"
    assert f"note: read with {said}\n" in done.stdout
    assert "1.5 to 3" in done.stdout
    assert "Datum   date" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["kunden.csv"]


def test_notes_are_in_the_json(tmp_path):
    (tmp_path / "iris.csv").write_text("a,kind\n1,x\n2,y\n3,z\n4,\n")
    done = smoothrank(tmp_path, "data", "describe", "iris.csv", "--positive", "x", "--json")
    facts = json.loads(done.stdout)
    assert (facts["rows"], facts["positives"], facts["target"]) == (3, 1, "kind")
    assert facts["notes"] == [
        "1 row has no value in the target 'kind', left out",
        "target 'kind': 'x' is positive, all others are negative: 'y', 'z'",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sep", "ab"], "--sep is one character such as ; or | or the word tab, not 'ab'"),
        (["--decimal", ";"], "--decimal is . or , and not ';'"),
        (["--thousands", "x"], "--thousands is one of . , ' or the words space and none, not 'x'"),
        (["--decimal", ",", "--thousands", ","], "--decimal and --thousands are both ','"),
        (["--encoding", "utf-9"], "there is no text encoding 'utf-9'"),
        (["--encoding", "ascii"], "cannot read kunden.csv, byte 3: --encoding ascii is not its"),
        (["--date-format", "days"], "--date-format 'days' is no format of dates"),
    ],
)
def test_a_wrong_option_is_one_line(tmp_path, arguments, message):
    (tmp_path / "kunden.csv").write_bytes(GERMAN)
    done = smoothrank(tmp_path, "data", "describe", "kunden.csv", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [["retrain"], ["data", "validate"], ["data", "describe"]])
def test_a_file_that_cannot_be_read_is_refused_before_anything_is_started(tmp_path, command):
    (tmp_path / "own.csv").write_text("a,y\n1,0\n2,1,5\n")
    done = smoothrank(tmp_path, *command, "own.csv")
    assert done.returncode in (1, 2)
    assert "line 3: 3 values where the first line has 2 columns" in done.stdout + done.stderr
    assert not list(tmp_path.glob(".smoothrank/*/*prefect*"))
    assert not (tmp_path / "mlflow.db").exists()
