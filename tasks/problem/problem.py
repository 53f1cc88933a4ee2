"""What is to be learnt: which file, which rows are held out, which folds and values are tried."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from pydantic import BaseModel, ConfigDict

from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.load import load_dataset
from smoothrank.errors import SmoothrankError
from smoothrank.estimators.ranking_classifier import RankingClassifier
from smoothrank.estimators.threshold import EQUAL_COSTS, decision_threshold
from smoothrank.tables.encoder import TableEncoder
from smoothrank.tables.one_hot import Encoder, drop_missing_rows
from tasks.problem.code_digest import code_digest
from tasks.problem.method_choice import method_of
from tasks.problem.row_parts import (
    Indices,
    RowSplit,
    content_rule,
    random_split,
    split_dataset,
    why_not,
)
from tasks.problem.source import Source
from tasks.problem.split_rule import By, SplitRule, read_rule
from tasks.problem.table_encoding import fit_encoder, fit_table_encoder, without_asked
from tasks.problem.user_file import load_user_file
from tasks.project.config import EvaluationParams, GateParams, Params, SelectionParams, SplitParams
from tasks.project.retrain_options import DEFAULTS, DecisionOptions, RetrainOptions, SplitOptions

Selection = Literal["honest", "paper"]

PACKAGES = ("smoothrank", "numpy", "scipy", "scikit-learn", "tensorflow-cpu", "gurobipy", "highspy")
"""Packages whose version can change a fit."""


class Problem(BaseModel):
    """Everything that determines the result of a run, and nothing else; cheap to pass around.

    With `stable` a row keeps its part while the file grows, by the rule that is `stored`; without
    it the split is the paper's.
    """

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
    evaluation: EvaluationParams = EvaluationParams()
    split_by: SplitOptions = SplitOptions()
    decision: DecisionOptions = DecisionOptions()
    budget: float | None = None
    stable: bool = False
    stored: SplitRule | None = None

    @property
    def name(self) -> str:
        """The data set's name."""
        return self.source.name

    @property
    def threshold(self) -> float:
        """The probability at or above which a row is positive."""
        found = decision_threshold(**self.decision.model_dump())
        return EQUAL_COSTS if found is None else found

    @property
    def identity(self) -> str:
        """A checksum of the data and all parameters."""
        return _digest(self._facts())

    @property
    def key(self) -> str:
        """A checksum of data, parameters of fits and code: the key of stored results."""
        facts = self._facts("gate", "evaluation", "decision")
        return _digest([facts, code_digest(), versions()])[:32]

    def _facts(self, *left_out: str) -> dict[str, object]:
        """Return what a checksum is made of; of the split, the data that it was drawn from."""
        facts = self.model_dump(mode="json", exclude={*left_out, "stable", "stored"})
        del facts["source"]["path"]
        if self.stable:
            same = self.stored is not None and why_not(self.stored, self.wanted_rule) is None
            drawn = self.stored.drawn_from if self.stored is not None and same else None
            facts["split_drawn_from"] = drawn or self.source.checksum
        return facts

    @property
    def split_key(self) -> tuple[By, str | None]:
        """What decides a row's part, and the column of it."""
        if not self.stable:
            return "random", None
        if self.split_by.group is not None:
            return "group", self.split_by.group
        if self.split_by.time is not None:
            return "time", self.split_by.time
        if self.source.columns.id is not None:
            return "id", self.source.columns.id
        return "content", None

    @property
    def wanted_rule(self) -> SplitRule:
        """The rule of the split, as far as it is known before the data is read."""
        by, key = self.split_key
        return SplitRule(
            by=by,
            key=key,
            columns=(),
            target=self.source.target or "",
            positive=self.source.positive or "",
            test_share=self.split.test_share,
            seed=self.split.seed,
        )


def _is_scaled(estimator: Any) -> bool:
    """Return whether a method's estimator has a scaling; only smoothrank's own have one."""
    return isinstance(estimator, RankingClassifier) and "scale" in estimator.get_params()


def make_problem(
    source: Source,
    method_name: str | None,
    selection: str,
    params: Params,
    options: RetrainOptions = DEFAULTS,
    *,
    stable: bool = False,
) -> Problem:
    """Return the problem of a run.

    The method is that of `params` unless it is named. Under honest selection `stable` has a row
    keep its part while the file grows.

    Raises
    ------
    SmoothrankError
        If there is no such method or rule of selection, the grid is for an unknown method, the
        rows cannot be split as asked, or a threshold and costs are given.
    """
    from smoothrank.selection.methods import method

    chosen = method_of(method_name, params)
    for name in params.selection.grids:
        method(name)
    rule = _rule(selection)
    stable = stable and rule == "honest"
    _check_split(options.split, rule)
    grid = params.selection.grids.get(chosen.name, chosen.grid)
    is_scaled = _is_scaled(chosen.make(grid[0]))
    decision_threshold(**options.decision.model_dump())
    return Problem(
        source=source,
        method=chosen.name,
        selection=rule,
        grid=tuple(sorted(grid)),
        scales=_scales(params.selection, rule == "honest" and is_scaled),
        split=params.split,
        folds=params.selection.folds,
        repeats=params.selection.repeats if rule == "honest" else 1,
        fold_seed=params.selection.seed,
        solver=params.training.solver,
        gate=params.gate,
        evaluation=params.evaluation,
        split_by=options.split,
        decision=options.decision,
        budget=None if rule == "paper" else options.budget or params.selection.budget,
        stable=stable,
        stored=read_rule(source.name) if stable else None,
    )


def _rule(selection: str) -> Selection:
    if selection == "honest":
        return "honest"
    if selection == "paper":
        return "paper"
    raise SmoothrankError(f"selection is 'honest' or 'paper', not {selection!r}")


def _check_split(options: SplitOptions, rule: Selection) -> None:
    if options.group is not None and options.time is not None:
        raise SmoothrankError("--group and --time exclude each other; give one of them")
    if rule == "paper" and (options.group is not None or options.time is not None):
        raise SmoothrankError(
            "--group and --time are for honest selection; the paper's split is random"
        )


def _scales(params: SelectionParams, is_chosen: bool) -> tuple[str | None, ...]:
    if not is_chosen:
        return (None,)
    return tuple(None if scale == "none" else scale for scale in dict.fromkeys(params.scales))


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((package, version(package)) for package in PACKAGES)


def versions() -> dict[str, str]:
    """Return the versions of the packages that fits depend on."""
    return dict(_versions())


def _digest(facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class Data:
    """The rows of a problem, raw and encoded, and which of them are held out."""

    dataset: Dataset
    encoder: TableEncoder | Encoder
    X: npt.NDArray[np.float64]
    split: RowSplit

    @property
    def train(self) -> Indices:
        """Numbers of the training rows."""
        return self.split.train

    @property
    def test(self) -> Indices:
        """Numbers of the test rows."""
        return self.split.test

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
    split = _split_rows(problem, dataset)
    columns = problem.source.columns
    if problem.selection == "paper":
        dataset = replace(dataset, X=without_asked(dataset.X, columns))
        encoder: TableEncoder | Encoder = fit_encoder(dataset.X, split.train)
    else:
        encoder = fit_table_encoder(dataset.X, split.train, columns, problem.split_by)
    return Data(dataset, encoder, encoder.transform(dataset.X), split)


def _split_rows(problem: Problem, dataset: Dataset) -> RowSplit:
    rule = content_rule(dataset, problem.split, *problem.split_key)
    if not problem.stable:
        return random_split(dataset, rule)
    return split_dataset(dataset, rule, problem.stored)


def load_source(source: Source) -> Dataset:
    """Load a data set or file, and check that it is the one that the run began with."""
    if source.in_catalogue:
        dataset = load_dataset(source.name)
    else:
        dataset = load_user_file(
            Path(source.path),
            source.target,
            source.positive,
            source.read,
            source.negative,
            source.columns,
        )
    if dataset.checksum != source.checksum:
        raise SmoothrankError(
            f"{source.path} was changed while it was being used; run the same command again"
        )
    return dataset
