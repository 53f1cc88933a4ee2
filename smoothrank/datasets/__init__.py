"""Data sets: the paper's 73, and a user's own files."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smoothrank.datasets.catalogue.catalogue import catalogue as catalogue
    from smoothrank.datasets.catalogue.catalogue import data_folder as data_folder
    from smoothrank.datasets.dataset import Attribute as Attribute
    from smoothrank.datasets.dataset import Dataset as Dataset
    from smoothrank.datasets.dataset import Schema as Schema
    from smoothrank.datasets.errors import DatasetError as DatasetError
    from smoothrank.datasets.keel.reader import read_keel as read_keel
    from smoothrank.datasets.keel.writer import write_keel as write_keel
    from smoothrank.datasets.load import load_dataset as load_dataset
    from smoothrank.datasets.load import load_file as load_file

_HOME = {
    "Attribute": "dataset",
    "Dataset": "dataset",
    "DatasetError": "errors",
    "Schema": "dataset",
    "catalogue": "catalogue.catalogue",
    "data_folder": "catalogue.catalogue",
    "load_dataset": "load",
    "load_file": "load",
    "read_keel": "keel.reader",
    "write_keel": "keel.writer",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    """Import a public name from its module when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
