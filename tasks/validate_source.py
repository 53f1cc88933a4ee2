"""The validation step: data that does not meet its expectations stops the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from smoothrank.errors import SmoothrankError
from tasks.expectations import negative_of, read_suite
from tasks.fetch import Source
from tasks.suite_place import adopt_old_suite, suite_path_of
from tasks.validate import validate_dataset, validate_file
from tasks.validate_table import ValidationResult


class ValidationFailed(SmoothrankError):  # noqa: N818
    """The data does not meet its expectations; `result` has all that is known."""

    def __init__(self, result: ValidationResult) -> None:
        self.result = result
        total = f"{len(result.failures)} of {result.expectations} expectations"
        faults = " ".join(failure.message for failure in result.failures)
        super().__init__(f"{result.dataset} fails {total}: {faults}")


def validate_source(source: Source) -> dict[str, Any]:
    """Hold a data set or file against its suite; the first validation of a file writes its suite.

    Returns
    -------
    dict
        The validation result as plain values.

    Raises
    ------
    ValidationFailed
        If an expectation does not hold.
    SmoothrankError
        If the file was changed meanwhile, or its suite is about another target.
    """
    if source.in_catalogue:
        result = validate_dataset(source.name)
    else:
        path = Path(source.path)
        result = validate_file(
            path, target=source.target, positive=source.positive, read=source.read
        )
    if result.checksum != source.checksum:
        raise SmoothrankError(
            f"{source.path} was changed while it was being used; run the same command again"
        )
    if not result.passed:
        raise ValidationFailed(result)
    return result.to_dict()


def with_known_target(source: Source) -> Source:
    """A file's source with the target and the classes of its suite, where it has one.

    New rows may make the other class the rarer one; the suite remembers which is meant.
    """
    if source.in_catalogue:
        return source
    adopt_old_suite(source.name)
    stored = suite_path_of(source.name)
    if not stored.exists():
        return source
    suite = read_suite(stored)
    held = suite["meta"]
    return source.model_copy(
        update={
            "target": source.target or held["target"],
            "positive": source.positive or held.get("positive"),
            "negative": source.negative or negative_of(suite),
        }
    )
