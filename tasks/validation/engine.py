"""Great Expectations as the engine that runs expectations on frames."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

import pandas as pd

from tasks.validation.suites.expectations import Expectation, SuiteError

Numbered = tuple[int, Expectation]
"""An expectation and its position in the suite."""


@dataclass(frozen=True)
class Outcome:
    """What was found about an expectation that does not hold.

    Parameters
    ----------
    count : int or None
        How many rows break it; None if it is not about rows.
    places : tuple of int
        The first of these rows in the frame, counted from 0.
    observed : object
        What was seen instead, where it is not about rows.
    obstacle : str or None
        Why it could not be checked; None if it was.
    """

    count: int | None = None
    places: tuple[int, ...] = ()
    observed: object = None
    obstacle: str | None = None

    @classmethod
    def of(cls, result: Mapping[str, Any], exceptions: Mapping[str, Any]) -> Outcome:
        """Return what Great Expectations reports."""
        if not result:
            return cls(obstacle=_reason(exceptions))
        places = result.get("partial_unexpected_index_list") or ()
        observed = result.get("observed_value")
        return cls(result.get("unexpected_count"), tuple(map(int, places)), observed)


def _reason(exceptions: Mapping[str, Any]) -> str:
    for detail in exceptions.values():
        if isinstance(detail, dict) and detail.get("exception_message"):
            return str(detail["exception_message"]).splitlines()[0]
    return str(exceptions.get("exception_message") or "no result")


# Great Expectations keeps its context in a global: one validation at a time.
_one_at_a_time = Lock()


def failed_outcomes(
    frames: Mapping[str, pd.DataFrame], groups: Mapping[str, Sequence[Numbered]]
) -> list[tuple[int, Outcome]]:
    """Run each group of expectations on its frame.

    Returns
    -------
    list of (int, Outcome)
        The position in the suite of those that do not hold, and what was found.

    Raises
    ------
    SuiteError
        If Great Expectations does not know an expectation.
    """
    if not any(groups.values()):
        return []
    with _batches() as batch_of:
        return [
            failed
            for name, group in groups.items()
            if group
            for failed in _run(batch_of(frames[name]), group)
        ]


@contextmanager
def _batches() -> Iterator[Any]:
    """Yield a function that turns a frame into a batch, with nothing sent or printed."""
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


def _run(batch: Any, group: Sequence[Numbered]) -> list[tuple[int, Outcome]]:
    """Run expectations on one batch; return the failed ones with their positions in the suite."""
    failed = {position for position, _ in _validate(batch, group, "BOOLEAN_ONLY")}
    again = [item for item in group if item[0] in failed]
    return _validate(batch, again, "SUMMARY") if again else []


def _validate(
    batch: Any, group: Sequence[Numbered], result_format: str
) -> list[tuple[int, Outcome]]:
    import great_expectations

    expectations = [_expectation(expectation, position) for position, expectation in group]
    suite = great_expectations.ExpectationSuite(name="suite", expectations=expectations)
    outcome = batch.validate(suite, result_format=result_format)
    results = [result.to_json_dict() for result in outcome.results if not result.success]
    return [
        (
            result["expectation_config"]["meta"]["position"],
            Outcome.of(result["result"], result["exception_info"]),
        )
        for result in results
    ]


def _expectation(expectation: Expectation, position: int) -> Any:
    from great_expectations.exceptions.exceptions import GreatExpectationsError
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

    meta = {**expectation.get("meta", {}), "position": position}
    try:
        return ExpectationConfiguration(**{**expectation, "meta": meta}).to_domain_obj()
    except (GreatExpectationsError, ValueError, TypeError) as error:
        reason = str(error).replace("\n", " ")
        raise SuiteError(f"the suite's {expectation['type']} cannot be used: {reason}") from None
