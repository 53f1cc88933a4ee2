"""A colleague at a machine: a project folder, and an environment that names the team's servers."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.project import table, write
from tests.support.team.servers import quiet_environment

SMOOTHRANK = str(Path(sys.executable).parent / "smoothrank")
SECONDS = 400.0
QUICK = """
training: {method: l1, jobs: 1}
selection: {folds: 3, repeats: 1, scales: [standard], grids: {l1: [0.1, 1.0]}}
"""


@dataclass
class Colleague:
    """Whoever runs commands in a folder; what the commands print is kept."""

    home: Path
    environment: dict[str, str]
    printed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home.mkdir(parents=True)
        (self.home / "params.yaml").write_text(QUICK)
        self.environment = {"PREFECT_HOME": str(self.home / "prefect home"), **self.environment}

    def start(self, *arguments: str, **changed: str | None) -> subprocess.Popen[str]:
        """Start a command with a changed environment; None removes a variable."""
        environment = quiet_environment(**self.environment, COLUMNS="300")
        environment.pop("SMOOTHRANK_HOME", None)
        for name, value in changed.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        return subprocess.Popen(
            [SMOOTHRANK, *arguments],
            cwd=self.home,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **changed: str | None) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return self.ended(self.start(*arguments, **changed))

    def ended(self, process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
        """Wait for a command, and return what it printed."""
        out, error = process.communicate(timeout=SECONDS)
        self.printed += [out, error]
        return subprocess.CompletedProcess(process.args, process.returncode, out, error)

    def retrain(self, file: str, **changed: str | None) -> dict[str, Any]:
        """Retrain on a file of `table`, and return the outcome."""
        return self.outcome(self.start_retraining(file, **changed))

    def start_retraining(self, file: str, **changed: str | None) -> subprocess.Popen[str]:
        """Start to retrain on a file of `table`."""
        given = ("--target", "y", "--positive", "rare", "--json")
        return self.start("retrain", file, *given, **changed)

    def outcome(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        """Wait for a retraining, and return its outcome."""
        done = self.ended(process)
        assert done.returncode == 0, done.stdout + done.stderr
        return dict(json.loads(done.stdout))

    def write_table(self, file: str, rows: int) -> str:
        """Write the first rows of a table that can grow."""
        write(self.home / file, table(1000, seed=3).head(rows))
        return file
