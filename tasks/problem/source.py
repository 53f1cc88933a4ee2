"""The source of a run: a data set of the catalogue or a user's own file, at one moment."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from smoothrank.datasets.catalogue.catalogue import catalogue, data_folder, entry
from smoothrank.datasets.catalogue.fetch import fetch_dataset
from smoothrank.datasets.files.paths import is_own_file, table_checksum, table_name
from smoothrank.datasets.options import ColumnOptions, ReadOptions
from smoothrank.errors import SmoothrankError
from tasks.project.retrain_options import DEFAULTS, RetrainOptions


class Source(BaseModel):
    """A data set or file at one moment: where it is, and the checksum of its contents."""

    model_config = ConfigDict(frozen=True)

    name: str
    path: str
    in_catalogue: bool
    checksum: str
    target: str | None = None
    positive: str | None = None
    negative: str | None = None
    read: ReadOptions = ReadOptions()
    columns: ColumnOptions = ColumnOptions()


def fetch_source(
    source: str,
    target: str | None = None,
    positive: str | None = None,
    options: RetrainOptions = DEFAULTS,
) -> Source:
    """Bring a data set here, or find a file, folder or pattern; it is not read yet.

    Parameters
    ----------
    source : str
        A name from the catalogue, or a file.
    target, positive : str, optional
        The target column and positive label of a file; see `smoothrank.datasets.load_file`.
    options : RetrainOptions
        How the file is read, and which of its columns are learnt from.

    Raises
    ------
    DatasetError
        If there is no such data set or file, or it cannot be had.
    SmoothrankError
        If a target is named for a data set of the catalogue.
    """
    path = Path(source)
    if source not in catalogue() and is_own_file(source):
        return Source(
            name=table_name(path),
            path=str(path.resolve()),
            in_catalogue=False,
            checksum=table_checksum(path),
            target=target,
            positive=positive,
            read=options.read,
            columns=options.columns,
        )
    known = entry(source)
    if target or positive:
        raise SmoothrankError(
            f"{source} is a data set of the catalogue, whose target is known; "
            "--target and --positive are for files of your own"
        )
    path = data_folder() / known.file
    if not path.exists():
        path = fetch_dataset(source)
    return Source(
        name=source,
        path=str(path),
        in_catalogue=True,
        checksum=table_checksum(path),
        columns=options.columns,
    )
