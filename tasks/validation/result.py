"""What a validation found."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from tasks.validation.suites.expectations import CRITICAL

CAN_BE_READ = "file_can_be_read"
"""The expectation of every file, before those of its suite."""


@dataclass(frozen=True)
class Failure:
    """One expectation that does not hold.

    Parameters
    ----------
    expectation : str
        Great Expectations' name of it.
    column : str or None
        The column it is about, if it is about one.
    message : str
        What is wrong, in a sentence.
    count : int
        How many rows break it; 0 if it is not about rows.
    row, line : int or None
        The first such row, counted from 1, and its line in the file where that is known.
    example : dict or None
        That row's values as written in the file, missing ones as None.
    severity : str
        "critical", which stops a run, or "warning".
    acceptable : bool
        Whether `smoothrank data accept` can take such a file as the new normal.
    """

    expectation: str
    column: str | None
    message: str
    count: int = 0
    row: int | None = None
    line: int | None = None
    example: dict[str, str | None] | None = None
    severity: str = CRITICAL
    acceptable: bool = True


@dataclass(frozen=True)
class ValidationResult:
    """What a validation found.

    Parameters
    ----------
    passed : bool
        Whether every expectation holds whose failure stops a run.
    dataset : str
        The name of the data set or file.
    checksum : str
        sha256 of the file that was checked.
    expectations : int
        How many expectations the suite has.
    failures : tuple of Failure
        Those that do not hold and stop a run, in the suite's order.
    warnings : tuple of Failure
        The others that do not hold.
    """

    passed: bool
    dataset: str
    checksum: str
    expectations: int
    failures: tuple[Failure, ...]
    warnings: tuple[Failure, ...] = ()

    @property
    def exit_code(self) -> int:
        """What a command ends with: 0, 1 where an expectation fails, 2 for an unreadable file."""
        if self.passed:
            return 0
        return 2 if any(one.expectation == CAN_BE_READ for one in self.failures) else 1

    @property
    def acceptable(self) -> bool:
        """Whether there is something that `smoothrank data accept` could take as normal."""
        found = (*self.failures, *self.warnings)
        return bool(found) and all(failure.acceptable for failure in found)

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain values, ready for JSON."""
        return {
            **asdict(self),
            "failures": [asdict(failure) for failure in self.failures],
            "warnings": [asdict(failure) for failure in self.warnings],
        }
