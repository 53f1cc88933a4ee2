"""What a column of a model is: one file for each family, and the registry of families.

    family("distance").values(X, prototypes)

Another family is one more file with a subclass of `ColumnFamily`, and its line here; from outside,
`register_family` makes it known to every estimator that has a parameter `columns`.
"""

from __future__ import annotations

from smoothrank.columns.base import ColumnFamily
from smoothrank.columns.families.distance import Distance
from smoothrank.columns.families.feature import Feature
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.families.laplace import Laplace
from smoothrank.columns.families.manhattan import Manhattan
from smoothrank.columns.families.step import Step
from smoothrank.columns.families.weighted_distance import WeightedDistance
from smoothrank.registry import Registry

__all__ = ["FAMILIES", "ColumnFamily", "family", "family_names", "register_family"]

FAMILIES: Registry[ColumnFamily] = Registry("column family")

family = FAMILIES.__getitem__
family_names = FAMILIES.names
register_family = FAMILIES.add

for _family in (
    *(Distance(), WeightedDistance(), Manhattan(), Gaussian(), Laplace()),
    *(Feature(), Step()),
):
    register_family(_family)
