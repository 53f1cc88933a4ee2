"""The fits of candidates on folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from smoothrank.selection.choice import Candidate
from smoothrank.selection.fold_fit import FoldFit

NO_SCALING = "none"
"""How "no scaling" is written where a text is needed."""


@dataclass(frozen=True)
class Trained:
    """The fits of one value of C.

    Parameters
    ----------
    value : float
        C, or whatever the method's parameter is.
    fits : mapping of str or None to tuple of FoldFit
        The fits of each scaling, in the order of the folds.
    """

    value: float
    fits: Mapping[str | None, tuple[FoldFit, ...]]

    @property
    def by_scale(self) -> dict[str, tuple[FoldFit, ...]]:
        """The fits by the name of the scaling."""
        return {scale or NO_SCALING: fits for scale, fits in self.fits.items()}

    def to_json(self) -> dict[str, object]:
        """Return plain values, as Prefect stores them."""
        fits = {scale: [asdict(fit) for fit in fits] for scale, fits in self.by_scale.items()}
        return {"value": self.value, "fits": fits}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Trained:
        """Read what `to_json` returned."""
        fits = {
            None if scale == NO_SCALING else scale: tuple(map(fold_fit, of_scale))
            for scale, of_scale in record["fits"].items()
        }
        return cls(record["value"], fits)


def fold_fit(record: Mapping[str, Any]) -> FoldFit:
    """Return a fit from its plain values.

    Raises
    ------
    ValueError
        If they are not those of a fit.
    """
    found = _adapter().validate_python(dict(record))
    if not found.auc_by_iteration or not all(0.0 <= auc <= 1.0 for auc in found.auc_by_iteration):
        raise ValueError("a fit has validation AUCs between 0 and 1")
    return found


@cache
def _adapter() -> TypeAdapter[FoldFit]:
    return TypeAdapter(FoldFit)


def all_fits(trained: Sequence[Trained]) -> dict[Candidate, list[FoldFit]]:
    """Return the fits of all candidates, by value and scaling."""
    return {(one.value, scale): list(fits) for one in trained for scale, fits in one.fits.items()}


def furthest(fits: dict[Candidate, list[FoldFit]]) -> dict[Candidate, list[FoldFit]]:
    """Return the candidates that have the most folds."""
    most = max(map(len, fits.values()))
    return {candidate: folds for candidate, folds in fits.items() if len(folds) == most}
