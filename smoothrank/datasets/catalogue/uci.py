"""Files of the UCI archive as KEEL text, so that one reader reads every data set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from smoothrank.datasets.errors import DatasetError
from smoothrank.datasets.keel.header import parse_number
from smoothrank.datasets.keel.text import quote

_ARCHIVE = "https://archive.ics.uci.edu/static/public"


@dataclass(frozen=True)
class UciFile:
    """Where a file lies in the UCI archive, and what its columns are.

    Parameters
    ----------
    number : int
        The data set's number in the archive.
    archive, file : str
        The zip file, and the file in it.
    columns : tuple of str or None
        The columns' names, or None if the first line has them.
    target, positive : str
        The target column and its positive label.
    drop : tuple of str
        Columns that are no use for a new case, such as a name.
    """

    number: int
    archive: str
    file: str
    columns: tuple[str, ...] | None
    target: str
    positive: str
    drop: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """The zip file's address."""
        return f"{_ARCHIVE}/{self.number}/{self.archive}"


@cache
def uci_files() -> dict[str, UciFile]:
    """Return the UCI files of the catalogue by data set."""
    import yaml

    described = yaml.safe_load(Path(__file__).with_name("uci.yaml").read_text("utf-8"))
    return {
        name: UciFile(
            **{
                **fields,
                "columns": fields["columns"] and tuple(fields["columns"]),
                "drop": tuple(fields.get("drop", ())),
            }
        )
        for name, fields in described.items()
    }


def uci_to_keel(name: str, text: str, uci: UciFile) -> str:
    """Write a comma-separated file in canonical form as KEEL text, the target last.

    Values stay as written. A column is an integer or real one if all its values are, with their
    range; else it is nominal with its sorted values as levels, a question mark among them.
    """
    rows = [[value.strip() for value in line.split(",")] for line in text.splitlines()]
    names = list(uci.columns) if uci.columns else rows.pop(0)
    for number, row in enumerate(rows, start=1 if uci.columns else 2):
        if len(row) != len(names):
            raise DatasetError(
                f"{uci.file}, line {number}: {len(row)} values where {len(names)} are expected"
            )
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    order = [column for column in names if column not in (*uci.drop, uci.target)]
    header = [f"@relation {name}", f"% positive: {quote(uci.positive)}"]
    header += [f"@attribute {quote(column)} {_kind(columns[column])}" for column in order]
    header += [f"@attribute {quote(uci.target)} {_levels(columns[uci.target])}", "@data"]
    kept = [columns[column] for column in (*order, uci.target)]
    return "\n".join([*header, *(",".join(row) for row in zip(*kept, strict=True))]) + "\n"


def _kind(values: tuple[str, ...]) -> str:
    try:
        ordered = sorted(values, key=parse_number)
    except ValueError:
        return _levels(values)
    kind = "integer" if all(value.lstrip("-").isdigit() for value in values) else "real"
    return f"{kind} [{ordered[0]}, {ordered[-1]}]"


def _levels(values: tuple[str, ...]) -> str:
    levels = (quote(value, marks_are_values=True) for value in sorted(set(values)))
    return f"{{{', '.join(levels)}}}"
