"""Penalties on the weights: one file for each kind, and the registry of norms.

    penalty("l1").value(weights)

Another norm is one more file with a subclass of `Penalty`, and its line here; from outside,
`register_penalty` does the same. Any penalty is solved by cutting planes; a dedicated solver
(`smoothrank.solvers.norms`) is faster for some. The paper's penalty on changes, `Change`, depends
on the last weights, so each master problem has its own.
"""

from __future__ import annotations

from smoothrank.errors import SmoothrankError
from smoothrank.penalties.base import Penalty
from smoothrank.penalties.change import Change
from smoothrank.penalties.l1 import L1
from smoothrank.penalties.l2 import L2
from smoothrank.penalties.linf import LInf

__all__ = ["Change", "Penalty", "penalty", "penalty_names", "register_penalty"]

_PENALTIES: dict[str, Penalty] = {}


def register_penalty(new: Penalty) -> None:
    """Register a penalty under its name; a name that is taken is refused."""
    if new.name in _PENALTIES:
        raise SmoothrankError(f"There is a penalty {new.name!r} already. Choose another name.")
    _PENALTIES[new.name] = new


def penalty(name: str) -> Penalty:
    """Return the penalty of this name."""
    if name not in _PENALTIES:
        known = ", ".join(penalty_names())
        raise SmoothrankError(f"There is no penalty {name!r}. Known are: {known}.")
    return _PENALTIES[name]


def penalty_names() -> tuple[str, ...]:
    """Return the names of all registered penalties."""
    return tuple(_PENALTIES)


for _norm in (L1(), LInf(), L2()):
    register_penalty(_norm)
