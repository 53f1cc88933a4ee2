"""The configuration: `params.yaml` as frozen models; a key that is not known is an error."""

from __future__ import annotations

import reprlib
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
)

from smoothrank.errors import SmoothrankError
from tasks.project.duration import seconds_of

FILE = "params.yaml"
MOST_BYTES = 1024**2
MOST_FAULTS = 5

USUAL_METHOD = "smoothrank-small"
"""What `retrain` fits unless told otherwise."""

PAPER_METHOD_NAMES = ("smooth", "ranking-cg", "l1", "linf", "ranking-svm")
Scale = Literal["none", "standard", "quantile"]
Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]
Grid = Annotated[tuple[Positive, ...], Field(min_length=1)]


def _seconds(given: Any) -> Any:
    if given == "auto":
        return None
    return seconds_of(given) if isinstance(given, str) else given


Budget = Annotated[Positive | None, BeforeValidator(_seconds)]
"""Seconds, or a time such as 5m; None, or `auto`, is by the number of rows."""


class ConfigError(SmoothrankError):
    """`params.yaml` has a key or a value that cannot be used."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SplitParams(_Frozen):
    """The test part, which is held out first."""

    test_share: float = Field(default=0.25, gt=0.0, lt=1.0)
    seed: int = Field(default=10, ge=0)


class SelectionParams(_Frozen):
    """Folds, scalings and values to choose among."""

    folds: int = Field(default=5, ge=2)
    repeats: int = Field(default=2, ge=1)
    seed: int = Field(default=10, ge=0)
    scales: tuple[Scale, ...] = Field(default=("none", "standard", "quantile"), min_length=1)
    grids: dict[str, Grid] = Field(default_factory=dict)
    budget: Budget = None


class TrainingParams(_Frozen):
    """What is fitted, and how fits are run."""

    method: str = USUAL_METHOD
    jobs: int = Field(default=2, ge=1)
    solver: str = "auto"

    @field_validator("solver")
    @classmethod
    def _is_registered(cls, name: str) -> str:
        from smoothrank.solvers.lp import solver_names

        if name not in solver_names():
            raise ValueError(f"it is not one of {', '.join(solver_names())}")
        return name


class GateParams(_Frozen):
    """What a challenger must pass to become champion."""

    significance: float = Field(default=0.05, gt=0.0, lt=1.0)
    max_gap: float = Field(default=1e-4, gt=0.0)
    max_kkt_residual: float = Field(default=1e-4, gt=0.0)


class EvaluationParams(_Frozen):
    """What is measured on the test part beside AUC."""

    precision: float = Field(default=0.5, gt=0.0, le=1.0)


class BenchmarkParams(_Frozen):
    """What `smoothrank benchmark` runs."""

    datasets: Literal["all"] | Annotated[tuple[str, ...], Field(min_length=1)] = "all"
    methods: tuple[str, ...] = Field(default=PAPER_METHOD_NAMES, min_length=1)
    selection: Literal["paper", "honest"] = "paper"


class SmallParams(_Frozen):
    """What `make repro-small` runs instead: comma-separated names."""

    datasets: str = "zoo-3,glass5,iris0,new-thyroid1,ecoli4,glass6,shuttle-c2-vs-c4,glass4"


class FigureParams(_Frozen):
    """What Figure 1 is made of; see `tasks.benchmark.figure.XorSettings`."""

    seed: int = Field(default=10, ge=0)
    rows: int = Field(default=100, ge=8)
    noise: float = Field(default=0.4, ge=0.0)
    iterations: int = Field(default=15, ge=2)
    smooth_c: Positive = 0.01


class Params(_Frozen):
    """All of `params.yaml`."""

    split: SplitParams = SplitParams()
    selection: SelectionParams = SelectionParams()
    training: TrainingParams = TrainingParams()
    gate: GateParams = GateParams()
    evaluation: EvaluationParams = EvaluationParams()
    benchmark: BenchmarkParams = BenchmarkParams()
    small: SmallParams = SmallParams()
    figure: FigureParams = FigureParams()


def load_params(folder: Path) -> Params:
    """Read `params.yaml` of a folder; if there is none, the defaults apply.

    Raises
    ------
    ConfigError
        If the file is not YAML, or has an unknown key or a wrong value; the message names it.
    """
    path = folder / FILE
    content = _content(path)
    try:
        return Params.model_validate({} if content is None else content)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_explained(error)}") from None


def _content(path: Path) -> Any:
    """Return what `params.yaml` says; nothing if there is none."""
    from smoothrank.datasets.files.regular import read_bytes

    try:
        text = read_bytes(path, MOST_BYTES).decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = str(error.strerror if isinstance(error, OSError) else error)
        raise ConfigError(f"cannot read {path}: {reason}") from None
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise ConfigError(f"{path} has aliases (*name); write the values out")
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    except (RecursionError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ConfigError(f"{path} cannot be used: {reason}") from None


def _explained(error: ValidationError) -> str:
    faults = [_fault(dict(fault)) for fault in error.errors()[:MOST_FAULTS]]
    more = error.error_count() - len(faults)
    return "; ".join([*faults, f"and {more} more"] if more else faults)


def _fault(fault: dict[str, Any]) -> str:
    where = ".".join(map(str, fault["loc"])) or "the file"
    if fault["type"] == "extra_forbidden":
        return f"unknown key {where}; known here are {', '.join(_known(fault['loc'][:-1]))}"
    return f"{where} is {reprlib.repr(fault['input'])}, but {_lower(fault['msg'])}"


def _known(place: tuple[str | int, ...]) -> list[str]:
    model: Any = Params
    for part in place:
        model = model.model_fields[part].annotation
    return list(model.model_fields)


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]
