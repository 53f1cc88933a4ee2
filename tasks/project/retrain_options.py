"""Options of a retraining, besides data set and method."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from smoothrank.datasets.options import ColumnOptions, ReadOptions


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SplitOptions(_Frozen):
    """How rows are kept together: by group, or with the past apart from the future."""

    group: str | None = None
    time: str | None = None


class DecisionOptions(_Frozen):
    """Where the classes are divided: a probability, or the costs of both errors."""

    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    cost_fp: float | None = Field(default=None, gt=0.0, allow_inf_nan=False)
    cost_fn: float | None = Field(default=None, gt=0.0, allow_inf_nan=False)


class RetrainOptions(_Frozen):
    """All options; each has a sensible default."""

    read: ReadOptions = ReadOptions()
    columns: ColumnOptions = ColumnOptions()
    split: SplitOptions = SplitOptions()
    decision: DecisionOptions = DecisionOptions()
    budget: float | None = Field(default=None, gt=0.0, allow_inf_nan=False)


DEFAULTS = RetrainOptions()
"""The defaults."""
