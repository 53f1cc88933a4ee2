"""A failed validation in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tasks.validation.result import Failure, ValidationResult

_MOST_VALUES = 12
_MOST_FAILURES = 20


def failure_lines(result: ValidationResult) -> list[str]:
    """Say how many expectations fail, then each of them with an example row."""
    known = result.expectations
    total = f" {len(result.failures)} of {known} expectations" if known else ""
    return [f"{result.dataset} fails{total}", *_each(result.failures, "- ")]


def warning_lines(result: ValidationResult) -> list[str]:
    """Say each warning with an example row."""
    return _each(result.warnings, "warning: ")


def _each(failures: tuple[Failure, ...], mark: str) -> list[str]:
    lines = []
    for failure in failures[:_MOST_FAILURES]:
        lines.append(f"{mark}{failure.message}")
        if failure.example is not None:
            lines.append(f"  {_place(failure)}: {_values(failure)}")
    more = len(failures) - _MOST_FAILURES
    return [*lines, f"{mark}and {more} more of this kind"] if more > 0 else lines


def _place(failure: Failure) -> str:
    line = "" if failure.line is None else f" (line {failure.line})"
    return f"row {failure.row}{line}"


def _values(failure: Failure) -> str:
    """Write the example row, the column at fault first and the rest cut short."""
    example = failure.example or {}
    names = sorted(example, key=lambda name: name != failure.column)
    shown = [f"{name}={_cell(example[name])}" for name in names[:_MOST_VALUES]]
    more = len(names) - _MOST_VALUES
    return ", ".join(shown) + (f", and {more} more columns" if more > 0 else "")


def _cell(value: str | None) -> str:
    return "(missing)" if value is None else value
