"""What can be wrong with a data set."""

from __future__ import annotations

from pathlib import Path

from smoothrank.errors import SmoothrankError


class DatasetError(SmoothrankError):
    """A data set cannot be used as it is."""


class KeelFormatError(DatasetError):
    """A KEEL `.dat` file cannot be read.

    Parameters
    ----------
    source : str or Path
        The file.
    line : int
        The line, counted from 1.
    reason : str
        What is wrong there.
    """

    def __init__(self, source: str | Path, line: int, reason: str) -> None:
        super().__init__(f"{source}, line {line}: {reason}")
        self.source = str(source)
        self.line = line
        self.reason = reason

    def __reduce__(self) -> tuple[type[KeelFormatError], tuple[str, int, str]]:
        return type(self), (self.source, self.line, self.reason)


class TableFormatError(DatasetError):
    """A CSV or Parquet file cannot be read as a binary problem."""


class UnknownDatasetError(DatasetError):
    """The catalogue has no data set of that name."""


class MissingDataError(DatasetError):
    """A data set of the catalogue is not here and could not be fetched."""


class UnreachableError(MissingDataError):
    """The archive that has a data set does not answer.

    Parameters
    ----------
    message : str
        What is missing, and how to get it.
    reason : str
        Why there was no answer.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[UnreachableError], tuple[str, str]]:
        return type(self), (str(self), self.reason)


class ChecksumError(DatasetError):
    """A file is not the one the catalogue describes."""
