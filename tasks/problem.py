"""What is to be learnt: which file, which rows are put aside, which folds and values are tried."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from pydantic import BaseModel, ConfigDict

from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.load import load_dataset, load_file
from smoothrank.errors import SmoothrankError
from smoothrank.preprocess import Column, Encoder, drop_missing_rows
from tasks.code_digest import code_digest
from tasks.config import GateParams, Params, SelectionParams, SplitParams
from tasks.fetch import Source
from tasks.options import DEFAULTS, DecisionOptions, RetrainOptions, SplitOptions

Selection = Literal["honest", "paper"]
Indices = npt.NDArray[np.intp]

PACKAGES = ("smoothrank", "numpy", "scipy", "scikit-learn", "tensorflow-cpu", "gurobipy", "highspy")
"""Packages whose version can change a fit."""


class Problem(BaseModel):
    """All that decides the outcome of a run, and nothing else; small enough to pass around."""

    model_config = ConfigDict(frozen=True)

    source: Source
    method: str
    selection: Selection
    grid: tuple[float, ...]
    scales: tuple[str | None, ...]
    split: SplitParams
    folds: int
    repeats: int
    fold_seed: int
    solver: str
    gate: GateParams
    split_by: SplitOptions = SplitOptions()
    decision: DecisionOptions = DecisionOptions()
    budget: float | None = None

    @property
    def name(self) -> str:
        """The data set's name."""
        return self.source.name

    @property
    def identity(self) -> str:
        """A checksum of the data and all parameters."""
        facts = self.model_dump(mode="json")
        facts["source"].pop("path")
        return _digest(facts)

    @property
    def key(self) -> str:
        """A checksum of the data, the parameters of fits, and the code: the name of results."""
        facts = self.model_dump(mode="json", exclude={"gate", "decision", "budget"})
        facts["source"].pop("path")
        return _digest([facts, code_digest(), versions()])[:32]


def make_problem(
    source: Source,
    method_name: str,
    selection: str,
    params: Params,
    options: RetrainOptions = DEFAULTS,
) -> Problem:
    """Put together what a run is about.

    Raises
    ------
    SmoothrankError
        If there is no such method or rule of selection, or the grid is for an unknown method.
    """
    from smoothrank.methods import method

    chosen = method(method_name)
    for name in params.selection.grids:
        method(name)
    rule = _rule(selection)
    grid = params.selection.grids.get(method_name, chosen.grid)
    is_scaled = "scale" in chosen.make(grid[0]).get_params()
    return Problem(
        source=source,
        method=method_name,
        selection=rule,
        grid=tuple(sorted(grid)),
        scales=_scales(params.selection, rule == "honest" and is_scaled),
        split=params.split,
        folds=params.selection.folds,
        repeats=params.selection.repeats if rule == "honest" else 1,
        fold_seed=params.selection.seed,
        solver=params.training.solver,
        gate=params.gate,
        split_by=options.split,
        decision=options.decision,
        budget=options.budget,
    )


def _rule(selection: str) -> Selection:
    if selection == "honest":
        return "honest"
    if selection == "paper":
        return "paper"
    raise SmoothrankError(f"selection is 'honest' or 'paper', not {selection!r}")


def _scales(params: SelectionParams, is_chosen: bool) -> tuple[str | None, ...]:
    if not is_chosen:
        return (None,)
    return tuple(None if scale == "none" else scale for scale in dict.fromkeys(params.scales))


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((package, version(package)) for package in PACKAGES)


def versions() -> dict[str, str]:
    """The versions of the packages that fits depend on."""
    return dict(_versions())


def _digest(facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class Data:
    """The rows of a problem, raw and encoded, and which of them are put aside."""

    dataset: Dataset
    encoder: Encoder
    X: npt.NDArray[np.float64]
    train: Indices
    test: Indices

    @property
    def y(self) -> npt.NDArray[np.int64]:
        """Labels of all rows, +1 and −1."""
        return self.dataset.y

    @property
    def raw_test(self) -> pd.DataFrame:
        """The raw rows of the test part."""
        return self.dataset.X.iloc[self.test]

    @property
    def negative(self) -> str:
        """The label of the other class."""
        positive = self.dataset.schema.positive
        return next(x for x in self.dataset.schema.target.levels if x != positive)


@lru_cache(maxsize=2)
def load_data(problem: Problem) -> Data:
    """Load the rows of a problem; once in a process.

    Raises
    ------
    SmoothrankError
        If the file has changed since the run began, or is too small to be split.
    """
    dataset = load_source(problem.source)
    if problem.source.in_catalogue and problem.selection == "paper":
        dataset = drop_missing_rows(dataset)
    train, test = split_rows(dataset.y, problem.split)
    encoder = fit_encoder(dataset.X, train)
    return Data(dataset, encoder, encoder.transform(dataset.X), train, test)


def load_source(source: Source) -> Dataset:
    """Load a data set or file, and see that it is the one that the run began with."""
    if source.in_catalogue:
        dataset = load_dataset(source.name)
    else:
        dataset = load_file(source.path, source.target, source.positive)
    if dataset.checksum != source.checksum:
        raise SmoothrankError(
            f"{source.path} was changed while it was being used; run the same command again"
        )
    return dataset


def split_rows(y: npt.NDArray[np.int64], params: SplitParams) -> tuple[Indices, Indices]:
    """Numbers of the training rows and of the test rows, by the rule of `paper_split`."""
    from sklearn.model_selection import train_test_split

    positives, negatives = int(np.sum(y == 1)), int(np.sum(y != 1))
    try:
        train, test = train_test_split(
            np.arange(len(y)), stratify=y, test_size=params.test_share, random_state=params.seed
        )
        enough = all(min(np.sum(y[part] == 1), np.sum(y[part] != 1)) >= 1 for part in (train, test))
        enough = enough and min(np.sum(y[train] == 1), np.sum(y[train] != 1)) >= 2
    except ValueError:
        enough = False
    if not enough:
        raise SmoothrankError(
            f"too few rows to put a share of {params.test_share:g} aside and choose by folds: "
            f"{positives} positive, {negatives} negative; at least two of each class are needed "
            "for training and one for the test. Add rows, or change split.test_share."
        )
    return train, test


def fit_encoder(X: pd.DataFrame, train: Indices) -> Encoder:
    """Learn levels from all rows, and what replaces missing values from the training rows alone."""
    if not X.isna().any(axis=None):
        return Encoder().fit(X)
    encoder = Encoder(missing="impute").fit(X)
    of_training = Encoder(missing="impute").fit(X.iloc[train])
    pairs = zip(encoder.columns_, of_training.columns_, strict=True)
    encoder.columns_ = tuple(_filled(column, other) for column, other in pairs)
    return encoder


def _filled(column: Column, of_training: Column) -> Column:
    fill = of_training.fill
    return replace(column, fill=fill if column.levels is None else str(fill))
