"""The results: a CSV file with a line for each participant on each split, written one by one."""

from __future__ import annotations

import csv
import fcntl
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import BinaryIO

from smoothrank.errors import SmoothrankError

DEFAULT_OUTPUT = Path("reports/peers/results.csv")
DAMAGED = ".damaged"


@dataclass(frozen=True)
class Job:
    """What is to be run: a method on the split of a data set that has this seed."""

    dataset: str
    seed: int
    method: str


@dataclass(frozen=True)
class Line:
    """The result of a job.

    Parameters
    ----------
    dataset, seed, method : str, int, str
        The job.
    test_auc : float
        AUC on the test part.
    cv_auc : float or None
        Mean validation AUC of the chosen candidate; None if there was nothing to choose.
    brier : float or None
        Mean squared error of the probabilities; None if the method has none.
    size : int
        Columns, coefficients, terms, rules, leaves or support vectors.
    seconds : float
        Processor time of tuning, fitting and scoring.
    """

    dataset: str
    seed: int
    method: str
    test_auc: float
    cv_auc: float | None
    brier: float | None
    size: int
    seconds: float

    @property
    def job(self) -> Job:
        """What was run."""
        return Job(self.dataset, self.seed, self.method)


COLUMNS = tuple(field.name for field in fields(Line))
_HEAD = (",".join(COLUMNS) + "\n").encode()


def read_lines(path: Path) -> list[Line]:
    """Return the whole lines of a file of results; none if there is no file.

    Raises
    ------
    SmoothrankError
        If the file holds something else.
    """
    lines, _ = _parsed(path, path.read_bytes()) if path.exists() else ([], 0)
    return lines


class Appender:
    """A file of results that lines are added to.

    Parameters
    ----------
    file : binary file
        The file, open at its end.
    lines : list of Line
        What it holds so far.
    """

    def __init__(self, file: BinaryIO, lines: list[Line]) -> None:
        self._file = file
        self.lines = lines

    def add(self, line: Line) -> None:
        """Write a line, and have it on the disk before going on."""
        self._file.write(_text(line))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.lines.append(line)


@contextmanager
def appending(path: Path) -> Iterator[Appender]:
    """Open a file of results to go on with it, alone.

    What a killed process left of a last line is moved to a file beside it.

    Raises
    ------
    SmoothrankError
        If the file holds something else, or another process is writing to it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        _lock(file, path)
        file.seek(0)
        content = file.read()
        lines, good = _parsed(path, content)
        if good < len(content):
            with path.with_name(path.name + DAMAGED).open("ab") as aside:
                aside.write(content[good:] + b"\n")
            file.truncate(good)
        if good == 0:
            file.write(_HEAD)
            file.flush()
        yield Appender(file, lines)


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SmoothrankError(
            f"another process writes to {path}; wait for it, or name another file with --output"
        ) from None


def _parsed(path: Path, content: bytes) -> tuple[list[Line], int]:
    """Return the lines, and how many bytes they and the head take; the last one may be damaged."""
    if not content.startswith(_HEAD):
        if _HEAD.startswith(content):
            return [], 0
        raise SmoothrankError(
            f"{path} holds something else than results of this comparison; move it away, or name "
            "another file with --output"
        )
    rows = content[len(_HEAD) :].splitlines(keepends=True)
    lines, good = [], len(_HEAD)
    for number, row in enumerate(rows, 1):
        line = _line(row)
        if line is None and number < len(rows):
            raise SmoothrankError(f"{path}, line {number + 1} is no result; remove that line")
        if line is not None:
            lines.append(line)
            good += len(row)
    return lines, good


def _text(line: Line) -> bytes:
    text = io.StringIO()
    csv.DictWriter(text, COLUMNS, lineterminator="\n").writerow(asdict(line))
    return text.getvalue().encode()


def _line(row: bytes) -> Line | None:
    """Return a line, or None if it is not whole."""
    try:
        (values,) = csv.reader([row.decode()])
        found = dict(zip(COLUMNS, values, strict=True))
        if not row.endswith(b"\n"):
            return None
        return Line(
            dataset=found["dataset"],
            seed=int(found["seed"]),
            method=found["method"],
            test_auc=float(found["test_auc"]),
            cv_auc=float(found["cv_auc"]) if found["cv_auc"] else None,
            brier=float(found["brier"]) if found["brier"] else None,
            size=int(found["size"]),
            seconds=float(found["seconds"]),
        )
    except ValueError:
        return None
