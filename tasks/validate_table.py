"""Hold a table against its Great Expectations suite and say in plain words what is wrong."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any

import pandas as pd

from tasks.expectations import (
    CLASS_COUNTS,
    NUMBER_PATTERNS,
    Expectation,
    Suite,
    SuiteError,
    level_sets,
    number_columns,
)
from tasks.failure_text import failure_sentence
from tasks.raw_table import RawTable

# Great Expectations keeps its context in a global: one validation at a time.
_one_at_a_time = Lock()

_AS_WRITTEN = {"expect_column_values_to_not_be_null", "expect_column_values_to_match_regex"}
_HEADER = {"expect_table_columns_to_match_ordered_list"}


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
    """

    expectation: str
    column: str | None
    message: str
    count: int = 0
    row: int | None = None
    line: int | None = None
    example: dict[str, str | None] | None = None


@dataclass(frozen=True)
class ValidationResult:
    """What a validation found.

    Parameters
    ----------
    passed : bool
        Whether every expectation holds.
    dataset : str
        The name of the data set or file.
    checksum : str
        sha256 of the file that was checked.
    expectations : int
        How many expectations the suite has.
    failures : tuple of Failure
        Those that do not hold, in the suite's order.
    """

    passed: bool
    dataset: str
    checksum: str
    expectations: int
    failures: tuple[Failure, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give the result as plain values, ready for JSON."""
        return {**asdict(self), "failures": [asdict(failure) for failure in self.failures]}


def validate_table(table: RawTable, suite: Suite) -> ValidationResult:
    """Hold a table against a suite.

    Expectations about a column that the table lacks or has twice are not run: the expectation
    about the columns reports it once.

    Parameters
    ----------
    table : RawTable
        The table as written in its file.
    suite : dict
        The suite, as `build_suite` makes it or `read_suite` reads it.

    Returns
    -------
    ValidationResult
        All failures, each with the first row that breaks it.

    Raises
    ------
    SuiteError
        If the suite holds an expectation that Great Expectations does not know.
    """
    frames = _frames(table, suite)
    groups: dict[str, list[tuple[int, Expectation]]] = {name: [] for name in frames}
    for position, expectation in enumerate(suite["expectations"]):
        name = _frame_name(expectation)
        column = expectation["kwargs"].get("column")
        if column is None or column in frames[name].columns:
            groups[name].append((position, expectation))
    with _great_expectations_batches() as batch_of:
        failed = [
            (position, _failure(table, frames[name], suite, result))
            for name, group in groups.items()
            if group
            for position, result in _run(batch_of(frames[name]), group)
        ]
    failures = tuple(failure for _, failure in sorted(failed, key=lambda pair: pair[0]))
    total = len(suite["expectations"])
    return ValidationResult(not failures, table.name, table.checksum, total, failures)


def _frame_name(expectation: Expectation) -> str:
    if expectation.get("meta", {}).get("table") == CLASS_COUNTS:
        return CLASS_COUNTS
    if expectation["type"] in _HEADER:
        return "header"
    return "written" if expectation["type"] in _AS_WRITTEN else "typed"


def _frames(table: RawTable, suite: Suite) -> dict[str, pd.DataFrame]:
    """Show the table in the four ways that expectations need it."""
    once = [name for name, count in Counter(table.columns).items() if count == 1]
    written = table.cells.loc[:, once]
    typed = written.copy()
    numbers, levels = number_columns(suite), level_sets(suite)
    for column in set(once) & numbers.keys():
        typed[column] = _numbers(written[column])
    for column in set(once) & levels.keys() - numbers.keys():
        typed[column] = _levels(written[column], levels[column])
    target = suite["meta"]["target"]
    counts = pd.DataFrame(columns=["class"])
    if target in once:
        rows = typed[target].value_counts()
        classes = levels.get(target, [])
        counts = pd.DataFrame({"class": classes, "rows": [int(rows.get(c, 0)) for c in classes]})
    header = pd.DataFrame(columns=list(table.columns))
    return {"header": header, "written": written, "typed": typed, CLASS_COUNTS: counts}


def _levels(written: pd.Series[Any], levels: list[str]) -> pd.Series[Any]:
    """Give each value as the suite writes it, where it only differs as 1 and 1.0 do."""
    same = {_plain_text(level): level for level in levels}
    return written.map(lambda value: same.get(_plain_text(value), value), na_action="ignore")


def _plain_text(text: str) -> str:
    if text.lower() in ("true", "false"):
        return text.capitalize()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else str(number)


def _numbers(written: pd.Series[Any]) -> pd.Series[float]:
    """Read numbers where there are any; text that is none becomes missing."""
    is_number = written.str.match(NUMBER_PATTERNS["real"]).fillna(value=False).astype(bool)
    return written.where(is_number).astype("float64")


@contextmanager
def _great_expectations_batches() -> Iterator[Any]:
    """Give a function that turns a frame into a batch, with nothing sent or printed."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    with _one_at_a_time:
        import great_expectations
        from great_expectations.data_context.types.base import ProgressBarsConfig

        logger = logging.getLogger("great_expectations")
        level = logger.level
        logger.setLevel(logging.CRITICAL)
        try:
            context = great_expectations.get_context(mode="ephemeral")
            context.variables.progress_bars = ProgressBarsConfig(globally=False)
            asset = context.data_sources.add_pandas("table").add_dataframe_asset("table")
            whole = asset.add_batch_definition_whole_dataframe("whole")
            yield lambda frame: whole.get_batch({"dataframe": frame})
        finally:
            logger.setLevel(level)


def _run(batch: Any, group: list[tuple[int, Expectation]]) -> list[tuple[int, dict[str, Any]]]:
    """Run expectations on one batch; give the failed ones with their positions in the suite."""
    failed = {position for position, _ in _validate(batch, group, "BOOLEAN_ONLY")}
    again = [item for item in group if item[0] in failed]
    return _validate(batch, again, "SUMMARY") if again else []


def _validate(
    batch: Any, group: list[tuple[int, Expectation]], result_format: str
) -> list[tuple[int, dict[str, Any]]]:
    import great_expectations

    expectations = [_expectation(expectation, position) for position, expectation in group]
    suite = great_expectations.ExpectationSuite(name="suite", expectations=expectations)
    outcome = batch.validate(suite, result_format=result_format)
    results = [result.to_json_dict() for result in outcome.results if not result.success]
    return [(result["expectation_config"]["meta"]["position"], result) for result in results]


def _expectation(expectation: Expectation, position: int) -> Any:
    from great_expectations.exceptions.exceptions import GreatExpectationsError
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

    meta = {**expectation.get("meta", {}), "position": position}
    try:
        return ExpectationConfiguration(**{**expectation, "meta": meta}).to_domain_obj()
    except (GreatExpectationsError, ValueError, TypeError) as error:
        reason = str(error).replace("\n", " ")
        raise SuiteError(f"the suite's {expectation['type']} cannot be used: {reason}") from None


def _failure(
    table: RawTable, frame: pd.DataFrame, suite: Suite, outcome: dict[str, Any]
) -> Failure:
    expectation, result = outcome["expectation_config"], outcome["result"]
    is_count = _frame_name(expectation) == CLASS_COUNTS
    column = suite["meta"]["target"] if is_count else expectation["kwargs"].get("column")
    places = result.get("partial_unexpected_index_list") or []
    if is_count:
        row = _first_row(table, suite, [frame["class"][place] for place in places])
    else:
        row = int(places[0]) if places else None
    example = None if row is None else table.row(row)
    written = example[column] if example and column else None
    return Failure(
        expectation=expectation["type"],
        column=column,
        message=failure_sentence(expectation, outcome, suite, frame, written),
        count=0 if is_count else int(result.get("unexpected_count", 0)),
        row=None if row is None else table.number(row),
        line=None if row is None else table.line(row),
        example=example,
    )


def _first_row(table: RawTable, suite: Suite, labels: list[str]) -> int | None:
    target = suite["meta"]["target"]
    classes = _levels(table.cells[target], level_sets(suite)[target])
    rows = classes.isin(labels).to_numpy().nonzero()[0]
    return int(rows[0]) if len(rows) else None
