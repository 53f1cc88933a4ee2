"""Penalties on the weights: one file for each kind, and the registry of norms.

    penalty("l1").value(weights)

Another norm is one more file with a subclass of `Penalty`, and its line here; from outside,
`register_penalty` does the same. Any penalty is solved by cutting planes; a dedicated solver
(`smoothrank.solvers.norms`) is faster for some. The paper's penalty on changes, `Change`, depends
on the last weights, so each master problem has its own.
"""

from __future__ import annotations

from smoothrank.penalties.base import Penalty
from smoothrank.penalties.change import Change
from smoothrank.penalties.l1 import L1
from smoothrank.penalties.l2 import L2
from smoothrank.penalties.linf import LInf
from smoothrank.registry import Registry

__all__ = ["PENALTIES", "Change", "Penalty", "penalty", "penalty_names", "register_penalty"]

PENALTIES: Registry[Penalty] = Registry("penalty")

penalty = PENALTIES.__getitem__
penalty_names = PENALTIES.names
register_penalty = PENALTIES.add

for _norm in (L1(), LInf(), L2()):
    register_penalty(_norm)
