"""The parts of the benchmark: which rows train, validate and test, kept in one file.

The file is JSON, by the name of a data set: `train` and `test`, numbers of rows in the order in
which they are used, and `folds`, for each fold the positions in `train` that validate.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.errors import SmoothrankError
from smoothrank.selection.splits import Parts
from tasks.problem.folds import folds
from tasks.problem.problem import Problem, load_data


def make_parts(problem: Problem) -> Parts:
    """Split the rows as the problem says."""
    data = load_data(problem)
    validating = tuple(tuple(rows.tolist()) for _, rows in folds(problem, data))
    return Parts(tuple(data.train.tolist()), tuple(data.test.tolist()), validating)


def write_parts(parts: Mapping[str, Parts], path: Path) -> None:
    """Write the parts of data sets, one line each, atomically."""
    lines = (f"{json.dumps(name)}: {json.dumps(asdict(one))}" for name, one in parts.items())
    write_whole(path, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def read_parts(path: Path) -> dict[str, Parts]:
    """Read what `write_parts` wrote.

    Raises
    ------
    SmoothrankError
        If there is no such file, or it holds something else.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
        return {name: _parts(one) for name, one in content.items()}
    except FileNotFoundError:
        raise SmoothrankError(f"there is no {path}; `smoothrank split` writes it") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise SmoothrankError(
            f"{path} does not hold the parts of data sets ({error}); `smoothrank split` writes it"
        ) from None


def _parts(one: dict[str, Any]) -> Parts:
    folds = tuple(tuple(map(int, fold)) for fold in one["folds"])
    return Parts(tuple(map(int, one["train"])), tuple(map(int, one["test"])), folds)


def parts_of(problem: Problem, known: Mapping[str, Parts] | None) -> Parts:
    """Return the parts of a problem: those of a file, checked, or new ones where there is none.

    Raises
    ------
    SmoothrankError
        If the file lacks the data set, or was made for other rows.
    """
    if known is None:
        return make_parts(problem)
    if problem.name not in known:
        raise SmoothrankError(f"the file of splits lacks {problem.name}; run `smoothrank split`")
    parts = known[problem.name]
    rows = sorted((*parts.train, *parts.test)) == list(range(len(load_data(problem).y)))
    places = {place for fold in parts.folds for place in fold}
    if not (rows and places <= set(range(len(parts.train)))):
        raise SmoothrankError(
            f"the parts of {problem.name} were made for other rows; run `smoothrank split` again"
        )
    return parts
