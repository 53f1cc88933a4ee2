"""What was done to a table, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable

from smoothrank.tables.columns import TableColumn
from smoothrank.tables.left_out import LeftOut

_MOST_NAMED = 12


def notes_about(columns: Iterable[TableColumn], left_out: Iterable[LeftOut]) -> tuple[str, ...]:
    """Return one sentence for each reason to leave columns out, and each way of encoding them."""
    columns = tuple(columns)
    by_reason: dict[str, list[str]] = {}
    for one in left_out:
        by_reason.setdefault(one.reason, []).append(_name(one.name))
    found = [f"left out: {_listed(names)} ({reason})" for reason, names in by_reason.items()]
    kinds = {
        "dates as numbers": [_date(column) for column in columns if column.kind == "date"],
        "rare levels put together": [_grouped(column) for column in columns if column.has_other],
        "often missing, which a 0/1 feature says": [
            _missing(column) for column in columns if column.marks_missing
        ],
        "sometimes missing, and then taken as the median or the most frequent level": [
            _missing(column)
            for column in columns
            if column.missing_share > 0.0 and not column.marks_missing
        ],
    }
    found += [f"{kind}: {_listed(names)}" for kind, names in kinds.items() if names]
    return tuple(found)


def _name(name: str) -> str:
    return name if name.strip() and name.isprintable() else repr(name)


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _date(column: TableColumn) -> str:
    return f"{_name(column.name)} ({', '.join(('days', *column.parts))})"


def _grouped(column: TableColumn) -> str:
    rare = "the rest" if column.rare is None else f"{len(column.rare):,}"
    return f"{_name(column.name)} ({len(column.levels or ())} kept, {rare} as one)"


def _missing(column: TableColumn) -> str:
    share = 100.0 * column.missing_share
    return (
        f"{_name(column.name)} ({share:.0f} %)" if share >= 1.0 else _name(column.name) + " (< 1 %)"
    )
