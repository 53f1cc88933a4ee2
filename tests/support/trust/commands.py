"""What three commands say about a file, up to where training would begin."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from smoothrank.errors import SmoothrankError
from smoothrank.tables.tabular_model import TabularModel
from tasks.preflight.job_count import jobs_worth_starting
from tasks.preflight.refusals import check_readable
from tasks.problem.problem import make_problem
from tasks.problem.source import fetch_source
from tasks.problem.user_file import forget_user_files
from tasks.project.config import Params
from tasks.steps.predict import score_file
from tasks.steps.validate import with_known_target
from tasks.validation.validate_file import OwnFile, validate_file

MOST_LINES = 2
LONGEST = 1200


@dataclass(frozen=True)
class Answer:
    """What a command answered: taken or refused, how, and what is wrong with that."""

    command: str
    taken: bool
    said: str
    fault: str | None
    seconds: float


def answers(path: Path, model: TabularModel) -> list[Answer]:
    """Ask all three commands, and see that nothing is written where a file is refused."""
    return [
        _asked("validate", path, _validate),
        _asked("retrain", path, _retrain),
        _asked("predict", path, lambda one: score_file(model, one, one.with_name("out.csv"))),
    ]


def _validate(path: Path) -> None:
    result = validate_file(OwnFile(path, "buys", suite_path=path.with_name("suite.json")))
    if not result.passed:
        raise SmoothrankError(" ".join(failure.message for failure in result.failures))


def _retrain(path: Path) -> None:
    found = fetch_source(str(path), "buys")
    check_readable(found)
    problem = make_problem(with_known_target(found), "smooth", "honest", Params(), stable=True)
    jobs_worth_starting(problem, 2)


def _asked(command: str, path: Path, ask) -> Answer:
    forget_user_files()
    before, start = set(path.parent.iterdir()), time.process_time()
    said, fault, taken = "", None, False
    try:
        ask(path)
        taken = True
    except SmoothrankError as error:
        said = str(error)
        if len(said.splitlines()) > MOST_LINES or len(said) > LONGEST:
            fault = f"says too much: {said[:300]}"
    except Exception as error:
        said = fault = f"ends in {error!r}"[:300]
    new = set(path.parent.iterdir()) - before
    if new and not taken:
        fault = f"wrote {[one.name for one in new]}"
    for one in new:
        one.unlink()
    return Answer(command, taken, said, fault, time.process_time() - start)
