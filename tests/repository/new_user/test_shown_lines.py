"""Every shell line of README and docs is run, in order, each in a process of its own.

The clone is fresh; its environment is borrowed from this one, because set-up takes minutes and CI
runs it anyway. `SMALLER` says which lines are run on less than they show, `ELSEWHERE` which are
run by other tests, `STAYS` which go on beside the lines after them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.checkout.clone import borrow_environment, clean_environment, clone_as_it_is
from tests.support.checkout.repository import ROOT
from tests.support.checkout.shown_lines import Block, blocks_of, difference
from tests.support.running import wait_until

DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

# What is trained is chosen from one value instead of seven or thirteen.
PARAMS = (
    "selection: {folds: 2, repeats: 1, scales: [standard], "
    "grids: {smoothrank-small: [3], smooth: [0.001], l1: [1.0]}}"
)
SMALLER = {
    r"^make retrain\b": "make retrain DATASET=iris0",
    r"smoothrank retrain\b": "\\g<0>",
    r"smoothrank benchmark(?! --datasets)": "\\g<0> --datasets iris0 --methods smooth,l1",
    r"--datasets glass0,iris0": "--datasets iris0",
    r"smoothrank figure": "\\g<0> --iterations 2 --rows 40",
    r"models:/|/invocations": "\\g<0>",  # as shown, but the model is a smaller one
}
ELSEWHERE = {
    r"^make (test|test-services)\b": "they would run this test again",
    r"^make repro\b(?!-)": "hours when code has changed; tests/repository/dvc/test_repro.py",
    r"^make repro-small": "minutes; tests/repository/dvc/test_repro.py",
    r"^(docker|podman) ": "there is no container engine on the machines that run the tests",
    r"^(pip install|mlflow server|prefect server)|^export (MLFLOW|PREFECT)_": (
        "tests/flows/team starts these servers, on PostgreSQL"
    ),
}
STAYS = {
    r"smoothrank schedule": "`smoothrank stop` ends it",
    r"mlflow models serve": "Uvicorn running",
}
SECONDS = 300


def kept(table: dict[str, str], line: str) -> str | None:
    """Return what a table says about a line, if anything."""
    return next((word for form, word in table.items() if re.search(form, line)), None)


def smaller(line: str) -> str:
    for form, less in SMALLER.items():
        line = re.sub(form, less, line)
    return line


class Terminal:
    """A clone in which lines are run; what stays is ended at the end."""

    def __init__(self, clone: Path) -> None:
        self.clone = clone
        self.staying: list[subprocess.Popen[bytes]] = []
        self.environment = clean_environment(BROWSER="", DISPLAY="", WAYLAND_DISPLAY="")

    def run(self, line: str) -> str:
        """Run a line to its end, or until it says that it stays; return what it prints."""
        words = kept(STAYS, line)
        return self._stay(line, words) if words else self._run(line)

    def _run(self, line: str) -> str:
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.clone, env=self.environment,
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stdout + done.stderr, f"{line}\n{done.stderr}"
        return done.stdout

    def _stay(self, line: str, words: str) -> str:
        log = self.clone.parent / f"staying-{len(self.staying)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["bash", "-c", f"exec {line}" if line.startswith(".") else line],
                cwd=self.clone, env=self.environment,
                stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        self.staying.append(process)

        def says() -> bool:
            assert process.poll() is None, f"{line}\n{log.read_text()}"
            return words in log.read_text()

        wait_until(says, SECONDS, 0.1, log.read_text)
        return log.read_text()

    def end(self) -> None:
        for process in self.staying:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(30)
        self._run(".venv/bin/smoothrank stop")


@pytest.fixture(scope="module")
def terminal(tmp_path_factory):
    clone = clone_as_it_is(tmp_path_factory.mktemp("shown"))
    borrow_environment(clone)
    (clone / "params.yaml").write_text(PARAMS + "\n")
    terminal = Terminal(clone)
    yield terminal
    terminal.end()


@pytest.mark.services
@pytest.mark.long
def test_every_line_runs_and_prints_what_is_shown(terminal):
    """The documents are one test: later ones use what earlier ones have made."""
    for block in [block for document in DOCUMENTS for block in blocks_of(document)]:
        printed = "\n".join(
            terminal.run(smaller(line)) for line in block.lines if not kept(ELSEWHERE, line)
        )
        if block.promised is not None:
            as_shown = not any(kept(SMALLER, line) for line in block.lines)
            found = difference(block.promised, printed, as_shown=as_shown)
            assert found is None, f"{block.document}: {found}\n{printed}"


@pytest.mark.services
def test_a_line_that_fails_is_noticed(terminal):
    with pytest.raises(AssertionError, match="no model models:/nobody@champion"):
        terminal.run(".venv/bin/smoothrank predict models:/nobody@champion x.csv -o y.csv")


def test_no_document_shows_lines_that_are_not_run():
    """Lines for a shell stand in blocks of `sh`, so that they are found."""
    for document in DOCUMENTS:
        indented = re.findall(
            r"^    (?:\S*/)?(?:make|smoothrank|mlflow|python) .*", document.read_text(), re.M
        )
        assert indented == [], document.name


def test_blocks_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\none  # a\n# b\ntwo \\\n  more\n```\n\n```text\n1\n```\n\n```sh\nx\n```\n"
    )
    assert blocks_of(page) == [
        Block("page.md", ("one  # a", "two more"), "1\n"),
        Block("page.md", ("x",), None),
    ]


@pytest.mark.parametrize(
    ("promised", "printed", "agree"),
    [
        ("AUC 0.835 in 3.1 s", "AUC 0.841 in 12 s\n", True),
        ("AUC 0.835", "AUC 0.85", False),
        ("214 rows", "215 rows", False),
        ("at http://127.0.0.1:4200/runs", "at http://127.0.0.1:39211/runs", True),
        ("a\n…\nz", "a\nb\nc\nz", True),
        ("a\n…", "a\nb", True),
        ("a\nz", "a\nb\nz", False),
        ("a", "a\nb", False),
        ("a\nb", "a", False),
    ],
)
def test_what_agrees(promised, printed, agree):
    assert (difference(promised, printed) is None) is agree


def test_a_line_made_smaller_may_print_other_numbers():
    promised = "5 prototypes, AUC 0.835, C = 0.001"
    assert difference(promised, "12 prototypes, AUC 1.0, C = 1e-06", as_shown=False) is None
    assert difference(promised, "12 columns, AUC 1.0, C = 1e-06", as_shown=False) is not None
