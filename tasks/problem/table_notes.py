"""What is said about a table before anything is learnt from it."""

from __future__ import annotations

from smoothrank.tables.encoder import TableEncoder
from tasks.problem.problem import Problem, load_data


def table_size(problem: Problem) -> str:
    """Return the numbers of rows, columns and features in a line."""
    data = load_data(problem)
    rows, columns = data.dataset.X.shape
    return f"{rows:,} rows, {columns:,} columns, {data.X.shape[1]:,} features"


def table_notes(problem: Problem) -> tuple[str, ...]:
    """Return what reading and encoding did to the table, a plain sentence each."""
    data = load_data(problem)
    of_reading = tuple(getattr(data.dataset, "notes", ()))
    return of_reading + (data.encoder.notes if isinstance(data.encoder, TableEncoder) else ())
