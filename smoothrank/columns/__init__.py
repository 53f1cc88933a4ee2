"""What a column of a model is: one file for each family, and the registry of families.

    family("distance").values(X, prototypes)

Another family is one more file with a subclass of `ColumnFamily`, and its line here; from outside,
`register_family` makes it known to every estimator that has a parameter `columns`.
"""

from __future__ import annotations

from smoothrank.columns.base import ColumnFamily
from smoothrank.columns.distance import Distance
from smoothrank.errors import SmoothrankError

__all__ = ["ColumnFamily", "family", "family_names", "register_family"]

_FAMILIES: dict[str, ColumnFamily] = {}


def register_family(new: ColumnFamily) -> None:
    """Register a family under its name; a name that is taken is refused."""
    if new.name in _FAMILIES:
        raise SmoothrankError(
            f"There is a column family {new.name!r} already. Choose another name."
        )
    _FAMILIES[new.name] = new


def family(name: str) -> ColumnFamily:
    """Return the family of this name."""
    if name not in _FAMILIES:
        known = ", ".join(family_names())
        raise SmoothrankError(f"There is no column family {name!r}. Known are: {known}.")
    return _FAMILIES[name]


def family_names() -> tuple[str, ...]:
    """Return the names of all registered families."""
    return tuple(_FAMILIES)


register_family(Distance())
