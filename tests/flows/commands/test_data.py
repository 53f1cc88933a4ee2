from __future__ import annotations

import json
import sys

import pytest

from flows.commands.cli import main


@pytest.fixture
def smoothrank(monkeypatch, capsys):
    """Run the command, and give its exit code, output and errors."""

    def run(*arguments: str):
        monkeypatch.setattr(sys, "argv", ["smoothrank", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        output = capsys.readouterr()
        return stopped.value.code or 0, output.out, output.err

    return run


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_list(smoothrank):
    code, out, _ = smoothrank("data", "list")
    assert code == 0
    assert len(out.splitlines()) == 74
    code, out, _ = smoothrank("data", "list", "--json")
    rows = json.loads(out)
    assert len(rows) == 73
    assert rows[2]["name"] == "abalone9-18"
    assert rows[2]["n_train"] == 548


def test_fetch_goes_on_after_a_missing_one(smoothrank, empty_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_DATA_MIRROR", str(tmp_path))
    code, out, err = smoothrank("data", "fetch")
    assert code == 3
    assert out.startswith("68 fetched, 0 already here, 5 missing")
    assert len(err.splitlines()) == 5
    assert "votes is not here" in err
    assert len(list(empty_folder.iterdir())) == 68
    code, out, _ = smoothrank("data", "fetch", "--json")
    assert len(json.loads(out)["present"]) == 68
    assert sorted(json.loads(out)["missing"]) == [
        "ionosphere", "parkinsons", "sonar", "survival", "votes",
    ]  # fmt: skip


def test_verify_sees_one_changed_byte_and_fetch_mends_it(smoothrank, empty_folder):
    smoothrank("data", "fetch", "glass0", "iris0")
    path = empty_folder / "glass0.dat"
    contents = path.read_bytes()
    path.write_bytes(contents[:-2] + b"x\n")
    code, out, err = smoothrank("data", "verify")
    assert code == 1
    assert f"changed: {path}" in err
    assert f"missing: {empty_folder / 'zoo-3.dat'}" in err
    assert "iris0" not in err
    assert out == "1 of 73 files are as in the catalogue\n"
    code, out, _ = smoothrank("data", "verify", "--json")
    assert code == 1
    assert json.loads(out)["files"]["glass0.dat"] == "changed"
    code, out, _ = smoothrank("data", "fetch", "glass0")
    assert code == 0
    assert "glass0 had been changed and was replaced" in out
    assert path.read_bytes() == contents
    assert smoothrank("data", "verify")[0] == 3


def test_describe(smoothrank, tmp_path):
    code, out, _ = smoothrank("data", "describe", "abalone9-18")
    assert code == 0
    assert "positives: 42" in out
    assert "0.075 to 0.815" in out
    path = tmp_path / "own.csv"
    path.write_text("a,b\n1,no\n2,yes\n3,no\n")
    code, out, _ = smoothrank("data", "describe", str(path), "--positive", "no", "--json")
    assert code == 0
    assert json.loads(out)["positives"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["describe", "abalone9-17"], "did you mean abalone9-18"),
        (["fetch", "nothing"], "no data set 'nothing'"),
        (["describe", "none.csv"], "there is no file none.csv"),
    ],
)
def test_a_users_mistake_is_one_line_and_exit_code_2(smoothrank, arguments, message):
    code, out, err = smoothrank("data", *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("smoothrank: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", ["--target", "--positive"])
def test_describe_has_no_target_to_name_in_the_catalogue(smoothrank, option):
    code, out, err = smoothrank("data", "describe", "glass0", option, "x")
    assert (code, out) == (2, "")
    assert "are for files" in err


def test_a_folder_that_cannot_be_written_is_one_line(smoothrank, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path / "file"))
    code, _, err = smoothrank("data", "fetch", "glass0")
    assert code == 2
    assert err.count("\n") == 1
    assert "SMOOTHRANK_DATA" in err or "cannot" in err
