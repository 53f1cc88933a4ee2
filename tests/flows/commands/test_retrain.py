"""What `smoothrank retrain` refuses, before any server is started."""

import pytest
from typer.testing import CliRunner

from flows.commands.cli import app
from smoothrank.errors import SmoothrankError


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["none.csv"], "no file"),
        (["glass99"], "no data set 'glass99' in the catalogue: did you mean glass"),
        (["glass0", "--target", "y"], "--target"),
        (["glass0", "--method", "nope"], "no method 'nope'. Known are: smooth, "),
        (["glass0", "--selection", "nope"], "'honest' or 'paper', not 'nope'"),
    ],
)
def test_mistakes_are_one_line(tmp_path, monkeypatch, arguments, text):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["retrain", *arguments])
    assert isinstance(done.exception, SmoothrankError)
    assert text in str(done.exception)
    assert "\n" not in str(done.exception)
