"""What a user can ask of a retraining, beside data set and method."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from smoothrank.datasets.options import ColumnOptions, ReadOptions


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SplitOptions(_Frozen):
    """Rows that must not be torn apart: those of one group, or the past from the future."""

    group: str | None = None
    time: str | None = None


class DecisionOptions(_Frozen):
    """Where the classes are divided: a probability, or the costs of both errors."""

    threshold: float | None = Field(default=None, ge=0.0, le=1.0)
    cost_fp: float | None = Field(default=None, gt=0.0, allow_inf_nan=False)
    cost_fn: float | None = Field(default=None, gt=0.0, allow_inf_nan=False)


class RetrainOptions(_Frozen):
    """All of them; every one has a default that needs no thought."""

    read: ReadOptions = ReadOptions()
    columns: ColumnOptions = ColumnOptions()
    split: SplitOptions = SplitOptions()
    decision: DecisionOptions = DecisionOptions()
    budget: float | None = Field(default=None, gt=0.0, allow_inf_nan=False)


DEFAULTS = RetrainOptions()
"""What is done when nothing is asked for."""
