"""Copy what belongs to a user's own data set out of the project's state."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote

from smoothrank.errors import SmoothrankError
from tasks.project.user_data import user_data_folder
from tasks.validation.suites.location import adopt_old_suite

MODEL = "champion"


class ExportError(SmoothrankError):
    """There is nothing to copy, or it cannot be copied."""


def export_user_data(name: str, folder: Path) -> list[Path]:
    """Copy suite, split and champion model of a data set to a folder.

    Parameters
    ----------
    name : str
        The name of the data set: that of its file without the ending.
    folder : Path
        Made if need be; files of the same names are replaced, others left alone.

    Returns
    -------
    list of Path
        The files that were copied, from the folder on.

    Raises
    ------
    ExportError
        If there is no such data set, or the folder cannot be written.
    """
    adopt_old_suite(name)
    with _champion(name) as model:
        return _copied(name, folder, model)


def _copied(name: str, folder: Path, model: Path | None) -> list[Path]:
    own = user_data_folder(name)
    if not own.is_dir() and model is None:
        raise ExportError(f"there is nothing of a data set {name!r} here; {_others(own.parent)}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if own.is_dir():
            shutil.copytree(own, folder, dirs_exist_ok=True)
        if model is not None:
            shutil.copytree(model, folder / MODEL, dirs_exist_ok=True)
    except OSError as error:
        raise ExportError(f"cannot copy to {folder}: {error.strerror or error}") from error
    copied = _files(own) + ([Path(MODEL) / path for path in _files(model)] if model else [])
    return sorted(copied)


def _files(folder: Path) -> list[Path]:
    return [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]


@contextmanager
def _champion(name: str) -> Iterator[Path | None]:
    """Yield the folder of the champion as MLflow keeps it, which `smoothrank predict` takes."""
    from tasks.tracking.champion import CHAMPION, model_name
    from tasks.tracking.model_location import NoModelError, model_folder

    with ExitStack() as stack:
        model: Path | None = None
        with suppress(NoModelError):
            address = f"models:/{model_name(name)}@{CHAMPION}"
            model = stack.enter_context(model_folder(address))
        yield model


def _others(folder: Path) -> str:
    names = sorted(unquote(path.name) for path in folder.iterdir()) if folder.is_dir() else []
    return f"there are: {', '.join(names)}" if names else "no file was validated here yet"
