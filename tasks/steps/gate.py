"""Whether a challenger may become champion."""

from __future__ import annotations

from dataclasses import dataclass

from smoothrank.evaluation.delong import AucComparison
from tasks.project.config import GateParams


@dataclass(frozen=True)
class Decision:
    """What the gate decided, and why in a sentence."""

    promoted: bool
    reason: str


def decide(
    params: GateParams,
    *,
    validation_passed: bool,
    gap: float | None,
    kkt_residual: float | None,
    comparison: AucComparison | None,
    obstacle: str | None = None,
    where: str = "",
) -> Decision:
    """Check a challenger against the conditions of the gate.

    Parameters
    ----------
    params : GateParams
        The limits.
    validation_passed : bool
        Whether the data met its expectations.
    gap : float or None
        The largest optimality gap of the model; NaN does not pass. None for a classifier of another
        package, which has no certificate.
    kkt_residual : float or None
        How far the model is from meeting the KKT conditions of its optimum; the same holds.
    comparison : AucComparison or None
        Challenger against champion; None where there is no champion.
    obstacle : str, optional
        Why the champion could not be compared.
    where : str
        What the comparison was made on, as it follows "not worse than the champion".
    """
    if not validation_passed:
        return Decision(False, "the data fails its expectations")
    for name, found, limit in (
        ("solver gap", gap, params.max_gap),
        ("KKT residual", kkt_residual, params.max_kkt_residual),
    ):
        if found is not None and not found <= limit:
            return Decision(False, f"its {name} is {found:.1e}, above the limit {limit:.1e}")
    if obstacle:
        return Decision(False, f"the champion cannot be compared: {obstacle}")
    if comparison is None:
        return Decision(True, "it is the first version")
    numbers = (
        f"AUC {comparison.auc_new:.4f} against the champion's {comparison.auc_old:.4f}, "
        f"p = {comparison.p_worse:.3g} that it is no worse, limit {params.significance:g}"
    )
    if comparison.p_worse < params.significance:
        return Decision(False, f"it is worse than the champion{where}: {numbers}")
    return Decision(True, f"it is not worse than the champion{where}: {numbers}")
