"""A teacher of few kernels and trees, for tests that do not ask how good it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from smoothrank.distillation import comparison, teaching
from smoothrank.distillation.effort import effort_for
from smoothrank.distillation.kernel_models import KERNEL_MODELS
from smoothrank.estimators.ranking_classifier import one_blas_thread


@contextmanager
def quick_teacher(compared_rows: int = 3000) -> Iterator[None]:
    """Let every `SmoothRanking` of this process learn quickly while the block runs."""
    with pytest.MonkeyPatch.context() as patch, one_blas_thread():
        patch.setattr(comparison, "KERNEL_MODELS", KERNEL_MODELS[::5])
        patch.setattr(comparison, "COMPARED_TREES", 5)
        patch.setattr(teaching, "BETWEEN", 600)
        patch.setattr(teaching, "GROWN_ON", 300)
        once = replace(
            effort_for(100),
            n_repeats=1,
            n_trees=5,
            compared_rows=compared_rows,
        )
        patch.setattr(teaching, "effort_for", lambda _: once)
        yield
