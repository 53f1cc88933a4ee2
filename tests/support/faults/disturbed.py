"""A project of a test's own, whose commands are disturbed, and what they leave behind.

Every command is a process with an environment of its own, the servers are the project's, and the
databases are read as files: nothing of the process that runs the tests has a part in it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.project import PARAMS, table, write
from tests.support.running import group_is_empty, wait_until

PROGRAM = (sys.executable, "-m", "flows.commands.cli")
SECONDS = 1200.0  # however busy the machine is
PASSED_ON = ("PATH", "HOME", "TMPDIR", "SMOOTHRANK_DATA", "SMOOTHRANK_DATA_MIRROR")
PROGRESS = re.compile(r"\w+: .*( so far| left|fits)|\d+ rows, \d+ columns, .*|kept in .*")
UNFINISHED_RUNS = "SELECT name FROM runs WHERE status IN ('RUNNING', 'SCHEDULED')"
UNFINISHED_FLOW_RUNS = "SELECT name FROM flow_run WHERE state_type IN ('PENDING', 'RUNNING')"
UNFINISHED_TASK_RUNS = "SELECT name FROM task_run WHERE state_type IN ('PENDING', 'RUNNING')"
EVERYTHING = os.environ.get("SMOOTHRANK_FAULTS") == "all"


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said beside its progress."""

    code: int
    printed: str
    said: list[str]

    @property
    def outcome(self) -> dict[str, Any]:
        """What a command that succeeded printed as JSON."""
        assert self.code == 0, self.said
        found: dict[str, Any] = json.loads(self.printed)
        return found

    @property
    def refusal(self) -> str:
        """The one line of a command that gave up."""
        assert self.code == 2, (self.code, self.said)
        assert len(self.said) == 1, self.said
        return self.said[0]


@dataclass(frozen=True)
class Learnt:
    """What must not depend on any fault: the choice, its quality, and the bytes of the model."""

    value: float
    scale: str | None
    cv_auc: float
    test_auc: float
    model: str


class DisturbedProject:
    """A project in a folder; `ended` stops what it started.

    Parameters
    ----------
    home : Path
        The folder; made if need be.
    state : Path
        Where the list of this user's servers is.
    """

    def __init__(self, home: Path, state: Path) -> None:
        self.home = home
        home.mkdir(exist_ok=True)
        (home / "params.yaml").write_text(PARAMS)
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        own = {"SMOOTHRANK_HOME": str(home), "XDG_STATE_HOME": str(state), "OMP_NUM_THREADS": "1"}
        self.environment = {**passed_on, **own}

    @property
    def mlflow(self) -> Path:
        """MLflow's database."""
        return self.home / "mlruns" / "mlflow.db"

    @property
    def prefect(self) -> Path:
        """Prefect's database."""
        return self.home / ".smoothrank" / "prefect" / "prefect.db"

    def source(self, name: str, rows: int = 120) -> str:
        """Write a file of rows; all names have the same rows."""
        return write(self.home / f"{name}.csv", table(rows))

    def start(self, *arguments: str, more: Mapping[str, str] | None = None) -> Any:
        """Start a command as a shell does: in a group of its own."""
        return subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=self.home,
            env={**self.environment, **(more or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, more: Mapping[str, str] | None = None) -> Ended:
        """Run a command to its end."""
        return ended(self.start(*arguments, more=more))

    def stop(self) -> None:
        """Stop the servers."""
        self.run("stop", "--yes")

    def wait_for_a_fit(self, process: Any) -> None:
        """Wait until a fit of the run in progress is noted: it is in the middle."""

        def is_there() -> bool:
            assert process.poll() is None, process.communicate()
            notes = (self.home / ".smoothrank" / "fits").glob("*/*.jsonl")
            return any(path.stat().st_size for path in notes)

        wait_until(is_there, SECONDS, pause=0.005)

    def learnt(self, ended: Ended) -> Learnt:
        """What a retraining learnt, and that it is registered: once, and promoted."""
        outcome = ended.outcome
        dataset, version = outcome["dataset"], outcome["model_version"]
        assert outcome["promoted"], outcome["reason"]
        assert self.aliases(dataset) == {"challenger": version, "champion": version}
        return Learnt(
            outcome["C"],
            outcome["scale"],
            outcome["cv_auc_mean"],
            outcome["test_auc"],
            self.model_checksum(dataset, version),
        )

    def goes_on(self, name: str, undisturbed: Learnt) -> None:
        """The same command gives what an undisturbed one gives, once, and nothing is left."""
        assert self.learnt(self.run(*retrain(str(self.home / f"{name}.csv")))) == undisturbed
        assert self.versions(name) == [1]
        assert self.mlflow_runs(name) == ["FINISHED"] * 3
        self.nothing_is_left()

    def versions(self, dataset: str) -> list[int]:
        """The registered versions of a data set's model."""
        asked = "SELECT version FROM model_versions WHERE name = ? ORDER BY version"
        return [version for (version,) in rows(self.mlflow, asked, f"smoothrank-{dataset}")]

    def aliases(self, dataset: str) -> dict[str, int]:
        """The versions of a data set's model that have an alias."""
        asked = "SELECT alias, version FROM registered_model_aliases WHERE name = ?"
        return dict(rows(self.mlflow, asked, f"smoothrank-{dataset}"))

    def model_checksum(self, dataset: str, version: int) -> str:
        """A checksum of the files of a registered model."""
        asked = "SELECT storage_location FROM model_versions WHERE name = ? AND version = ?"
        ((place,),) = rows(self.mlflow, asked, f"smoothrank-{dataset}", version)
        folder = Path(place.removeprefix("file://")) / "artifacts" / "tabular"
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        assert files
        facts = [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    def mlflow_runs(self, experiment: str) -> list[str]:
        """The states of an experiment's MLflow runs."""
        asked = (
            "SELECT status FROM runs JOIN experiments USING (experiment_id)"
            " WHERE experiments.name = ? AND runs.lifecycle_stage = 'active'"
        )
        return [status for (status,) in rows(self.mlflow, asked, experiment)]

    def unfinished(self) -> dict[str, list[str]]:
        """What has not ended in MLflow and in Prefect."""
        asked = {
            "MLflow runs": (self.mlflow, UNFINISHED_RUNS),
            "flow runs": (self.prefect, UNFINISHED_FLOW_RUNS),
            "task runs": (self.prefect, UNFINISHED_TASK_RUNS),
        }
        found = {kind: [name for (name,) in rows(*question)] for kind, question in asked.items()}
        return {kind: names for kind, names in found.items() if names}

    def nothing_is_left(self) -> None:
        """Nothing is unfinished once Prefect has written its records, and no attempt is open."""
        wait_until(lambda: not self.unfinished(), 20.0, 0.2, self.unfinished)
        assert self.open_attempts() == []

    def open_attempts(self) -> list[str]:
        """The records of runs that have not ended."""
        return [path.name for path in (self.home / ".smoothrank" / "attempts").glob("*.json")]


@contextmanager
def disturbed_project(folder: Path, name: str = "home") -> Iterator[DisturbedProject]:
    """Yield a new project; its servers end at the end."""
    project = DisturbedProject(folder / name, folder / f"{name}-state")
    try:
        yield project
    finally:
        project.stop()


def rows(database: Path, asked: str, *values: object) -> list[Any]:
    """What a database answers, as any other program would read it."""
    if not database.exists():
        return []
    with closing(sqlite3.connect(f"file:{database}?mode=ro", timeout=60.0, uri=True)) as tables:
        return tables.execute(asked, values).fetchall()


def retrain(source: str) -> tuple[str, ...]:
    """The command that retrains on a file of `DisturbedProject.source`."""
    return "retrain", source, "--target", "y", "--positive", "rare", "--method", "l1", "--json"


def ended(process: Any, seconds: float = SECONDS) -> Ended:
    """Wait for the end of a command."""
    printed, said = process.communicate(timeout=seconds)
    lines = [line for line in said.splitlines() if line and not PROGRESS.fullmatch(line)]
    return Ended(process.returncode, printed, lines)


def kill(process: Any) -> None:
    """Kill a command and all that it started, but for the servers."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    wait_until(lambda: group_is_empty(process.pid))
