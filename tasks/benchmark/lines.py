"""The results of the benchmark as lines of a CSV file: one for each data set and method."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.errors import SmoothrankError
from tasks.benchmark.experiment import Measured
from tasks.problem.problem import Problem

DECIMALS = 6
SMALLEST_GAP = 1e-6
"""Anything below this is rounding, which differs from one processor to the next."""


@dataclass(frozen=True)
class Line:
    """One method on one data set.

    Parameters
    ----------
    dataset, method, selection : str
        What was run, and by which rule.
    parameter : float
        The chosen C, or α for Ranking-CG.
    scale : str
        The chosen scaling.
    cv_auc, test_auc : float
        Mean validation AUC of the choice, and AUC on the test part.
    features_used : int
        Prototypes, or training rows, with |w| ≥ 0.001.
    gap, worst_gap : float
        Largest optimality gap of the refit, and of all fits; relative for the norms.
    seconds : float or None
        Wall time of all fits in one process of one thread; None where it is left out.
    """

    dataset: str
    method: str
    selection: str
    parameter: float
    scale: str
    cv_auc: float
    test_auc: float
    features_used: int
    gap: float
    worst_gap: float
    seconds: float | None

    @property
    def pair(self) -> tuple[str, str]:
        """Data set and method."""
        return self.dataset, self.method


def make_line(problem: Problem, measured: Measured) -> Line:
    """Return the line of a result."""
    result = measured.result
    return Line(
        dataset=problem.name,
        method=problem.method,
        selection=problem.selection,
        parameter=result.value,
        scale=result.scale or "none",
        cv_auc=round(result.cv_auc, DECIMALS),
        test_auc=round(result.test_auc, DECIMALS),
        features_used=result.n_used,
        gap=float(f"{result.gap:.1e}"),
        worst_gap=float(f"{result.worst_gap:.1e}"),
        seconds=round(measured.seconds, 1),
    )


def without_clock(line: Line) -> Line:
    """Return the machine-independent line: no seconds; gaps rounded up to a power of ten."""
    return replace(
        line, seconds=None, gap=_power_of_ten(line.gap), worst_gap=_power_of_ten(line.worst_gap)
    )


def _power_of_ten(gap: float) -> float:
    if math.isnan(gap):  # an estimator that does not report it
        return gap
    return float(f"1e{math.ceil(math.log10(max(gap, SMALLEST_GAP)))}")


def write_lines(lines: Iterable[Line], path: Path) -> None:
    """Write the lines in the order of methods and data sets, atomically."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Line)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(line) for line in sorted(lines, key=lambda one: one.pair[::-1]))
    write_whole(path, text.getvalue().encode())


def read_lines(path: Path) -> list[Line]:
    """Return the lines of an earlier run; none where there is no file.

    Raises
    ------
    SmoothrankError
        If the file holds something else.
    """
    if not path.exists():
        return []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if list(reader.fieldnames or ()) != [field.name for field in fields(Line)]:
                raise ValueError("its columns are different")
            return [_line(row) for row in reader]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SmoothrankError(
            f"{path} holds something other than benchmark results ({error}); move it away, "
            "or name another file with --output"
        ) from None


def _line(row: dict[str, str]) -> Line:
    return Line(
        dataset=row["dataset"],
        method=row["method"],
        selection=row["selection"],
        parameter=float(row["parameter"]),
        scale=row["scale"],
        cv_auc=float(row["cv_auc"]),
        test_auc=float(row["test_auc"]),
        features_used=int(row["features_used"]),
        gap=float(row["gap"]),
        worst_gap=float(row["worst_gap"]),
        seconds=float(row["seconds"]) if row["seconds"] else None,
    )
