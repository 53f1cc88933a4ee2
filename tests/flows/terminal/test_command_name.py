"""Lines that are to be typed again can be typed as they stand."""

import sys

import pytest

from flows.terminal.command_name import command_name, same_command


@pytest.mark.parametrize(
    ("called", "path", "name"),
    [
        (".venv/bin/smoothrank", "", ".venv/bin/smoothrank"),
        (".venv/bin/smoothrank", ".venv/bin", "smoothrank"),
        ("flows/commands/cli.py", "", "smoothrank"),
    ],
)
def test_the_program_is_named_as_the_shell_finds_it(tmp_path, monkeypatch, called, path, name):
    program = tmp_path / ".venv" / "bin" / "smoothrank"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / path) if path else str(tmp_path / "nowhere"))
    monkeypatch.setattr(sys, "argv", [called, "retrain", "my file.csv"])
    assert command_name() == name
    assert same_command() == f"{name} retrain 'my file.csv'"
