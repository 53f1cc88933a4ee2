"""The validation step: data that does not meet its expectations stops the run."""

from __future__ import annotations

from pathlib import Path

from smoothrank.errors import SmoothrankError
from tasks.problem.source import Source
from tasks.project.progress import listener
from tasks.validation.result import Failure, ValidationResult
from tasks.validation.suites.accept import accepting
from tasks.validation.suites.expectations import negative_of, read_suite
from tasks.validation.suites.location import adopt_old_suite, suite_path_of
from tasks.validation.validate_catalogue import validate_dataset
from tasks.validation.validate_file import OwnFile, validate_file

_MOST_MESSAGES = 20


class ValidationFailed(SmoothrankError):  # noqa: N818
    """The data does not meet its expectations; `result` has the details."""

    def __init__(self, result: ValidationResult) -> None:
        self.result = result
        total = f"{len(result.failures)} of {result.expectations} expectations"
        faults = " ".join(_messages(result.failures))
        super().__init__(f"{result.dataset} fails {total}: {faults}")


def validate_source(source: Source) -> ValidationResult:
    """Validate a data set or file against its suite; the first validation of a file writes it.

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
        result = validate_file(own_file(source))
    if result.checksum != source.checksum:
        raise SmoothrankError(
            f"{source.path} was changed while it was being used; run the same command again"
        )
    if not result.passed:
        raise ValidationFailed(result)
    for message in _messages(result.warnings):
        listener().note(f"warning: {message}")
    if result.acceptable and not source.in_catalogue:
        listener().note(accepting(source.path))
    return result


def _messages(failures: tuple[Failure, ...]) -> list[str]:
    more = len(failures) - _MOST_MESSAGES
    rest = [f"And {more} more of this kind."] if more > 0 else []
    return [failure.message for failure in failures[:_MOST_MESSAGES]] + rest


def own_file(source: Source) -> OwnFile:
    """Return a user's file with the options given for it."""
    return OwnFile(Path(source.path), source.target, source.positive, source.read, source.columns)


def with_known_target(source: Source) -> Source:
    """Return a file's source with the target and the classes of its suite, where it has one.

    New rows may make the other class the rarer one; the suite remembers which is meant.
    """
    if source.in_catalogue:
        return source
    if moved := adopt_old_suite(source.name):
        listener().note(moved)
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
