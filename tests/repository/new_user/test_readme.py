"""What the README shows is run."""

import re
import shutil
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from flows.commands.cli import app
from tests.support.checkout.repository import ROOT

README = (ROOT / "README.md").read_text()
FIRST_SCREEN = 60


def blocks(language):
    """Return the code blocks of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


# A block of text right after a block of Python is what it prints.
PROMISES = re.findall(
    r"^```python\n(.*?)^```\n+^```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL
)


def test_every_python_example_says_what_it_prints():
    assert [example for example, _ in PROMISES] == blocks("python")


@pytest.mark.parametrize(
    ("example", "promised"),
    PROMISES,
    ids=["a model in words", "your own file", "a data set of the paper"],
)
def test_python_example_prints_what_the_readme_says_and_nothing_else(tmp_path, example, promised):
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "orders.csv", tmp_path / "docs")
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert number_after("AUC", done.stdout) == pytest.approx(
        number_after("AUC", promised), abs=0.01
    )
    assert len(done.stdout.splitlines()) == len(promised.splitlines())


def test_the_example_of_ones_own_file_shows_the_whole_way():
    (example,) = (block for block in blocks("python") if "load_file" in block)
    for step in (
        "load_file(",
        "TableEncoder(",
        "SmoothRankingPrototype(",
        "save_model(",
        "load_model(",
    ):
        assert step in example


def number_after(word, text):
    match = re.search(rf"{word} ([\d.]+)", text)
    assert match, text
    return float(match[1])


def test_commands_are_ones_make_knows():
    commands = [
        line.split("#")[0].split()
        for block in blocks("sh")
        for line in block.splitlines()
        if "make" in line.split()
    ]
    targets = {command[-1] for command in commands}
    assert {"retrain", "test"} <= targets
    for target in targets:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, check=True)


def test_smoothrank_commands_exist():
    lines = [line.split("#")[0].split() for block in blocks("sh") for line in block.splitlines()]
    commands = [line[1:] for line in lines if line and line[0].endswith("/smoothrank")]
    assert ["data", "list"] in commands
    for command in commands:
        done = CliRunner().invoke(app, [*command, "--help"])
        assert done.exit_code == 0, done.output
        words = command[:2] if command[0] == "data" else command[:1]
        assert f"{' '.join(words)} [OPTIONS]" in done.stdout
        options = [word for word in command if word.startswith("--")]
        assert [option for option in options if option not in done.stdout] == []


def test_first_screen_holds_commands_example_and_picture():
    screen = "\n".join(README.splitlines()[:FIRST_SCREEN])
    assert "make retrain" in screen
    assert "```python" in screen
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures[0] in screen
    assert all((ROOT / picture).is_file() for picture in pictures)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_to_files_lead_somewhere(name):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text())
    assert [link for link in links if not (ROOT / link).exists()] == []
