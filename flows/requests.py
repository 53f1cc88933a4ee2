"""What the commands ask of the flows; importing this loads no Prefect."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.time_zone import local_time_zone
from smoothrank.datasets.files.paths import table_name
from tasks.project.retrain_options import DEFAULTS, RetrainOptions


@dataclass(frozen=True)
class RetrainRequest:
    """What is to be retrained.

    Parameters
    ----------
    source : str
        A name from the catalogue, or a file.
    target, positive : str, optional
        The target column and positive label of a file.
    method : str, optional
        A name that `smoothrank.selection.methods` knows; by default as in `params.yaml`.
    selection : {"honest", "paper"}
        How the value of its parameter is chosen.
    jobs : int, optional
        Processes that train; by default as in `params.yaml`.
    only_if_changed : bool
        Do nothing if data and parameters are those of the last run that succeeded.
    options : RetrainOptions
        How the file is read, which columns are learnt from, how rows are split, where the
        classes are divided, and how long the search may take.
    """

    source: str
    target: str | None = None
    positive: str | None = None
    method: str | None = None
    selection: str = "honest"
    jobs: int | None = None
    only_if_changed: bool = False
    options: RetrainOptions = DEFAULTS


@dataclass(frozen=True)
class BenchmarkRequest:
    """What is to be compared.

    Parameters
    ----------
    datasets, methods : tuple of str
        Names from the catalogue, and names that `smoothrank.selection.methods` knows.
    selection : {"paper", "honest"}
        How the value of the parameter is chosen.
    jobs : int
        Experiments that run at the same time, one process each.
    output : str
        The CSV file; lines for other data sets and methods are kept.
    splits : str, optional
        A file of `smoothrank split`; without it the rows are split again.
    stable : bool
        Leave out what differs from one machine to the next.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    selection: str = "paper"
    jobs: int = 2
    output: str = "reports/benchmark.csv"
    splits: str | None = None
    stable: bool = False


@dataclass(frozen=True)
class Schedule:
    """What is retrained, and when.

    Parameters
    ----------
    source : str
        A name from the catalogue, or a file.
    cron : str or None
        Times as cron writes them, in the machine's time zone.
    interval : float or None
        Seconds from one run to the next; either this or `cron`.
    target, positive : str or None
        The target column and positive label of a file.
    method : str or None
        As `smoothrank retrain` takes it; None for that of `params.yaml` when a run begins.
    selection : str
        As `smoothrank retrain` takes it.
    force : bool
        Retrain even if nothing has changed.
    options : RetrainOptions
        As `smoothrank retrain` takes them.
    """

    source: str
    cron: str | None = None
    interval: float | None = None
    target: str | None = None
    positive: str | None = None
    method: str | None = None
    selection: str = "honest"
    force: bool = False
    options: RetrainOptions = DEFAULTS

    @property
    def name(self) -> str:
        """The name of the data set, which is also the deployment's."""
        return dataset_name(self.source)

    def when(self) -> str:
        """Return the times in words."""
        if self.cron:
            return f"at {self.cron} ({local_time_zone()})"
        return f"every {self.interval:g} s"

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the flow."""
        kept = ("source", "target", "positive", "method", "selection")
        return {
            **{key: getattr(self, key) for key in kept},
            "only_if_changed": not self.force,
            "options": self.options.model_dump(mode="json"),
        }


def dataset_name(source: str) -> str:
    """Return the name of a data set: the catalogue's, or that of a file given by its whole path."""
    return table_name(Path(source)) if Path(source).is_absolute() else source
