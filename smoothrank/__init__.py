"""Small prototype models that maximise AUC on imbalanced binary data."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "DictionaryRanking": "smoothrank.estimators.dictionary_ranking",
    "KernelRanking": "smoothrank.estimators.kernel_ranking",
    "L1Ranking": "smoothrank.estimators.norm_ranking",
    "LInfRanking": "smoothrank.estimators.norm_ranking",
    "RankBoost": "smoothrank.estimators.cited.rank_boost",
    "RankNet": "smoothrank.estimators.cited.rank_net",
    "RankingCGPrototype": "smoothrank.estimators.prototypes",
    "RankingSVM": "smoothrank.estimators.norm_ranking",
    "SmoothRanking": "smoothrank.estimators.smooth_ranking",
    "SmoothRankingPrototype": "smoothrank.estimators.prototypes",
    "TableEncoder": "smoothrank.tables.encoder",
    "TabularModel": "smoothrank.tables.tabular_model",
    "load_dataset": "smoothrank.datasets",
    "load_model": "smoothrank.persistence.model_file",
    "save_model": "smoothrank.persistence.model_file",
}
__all__ = [
    "DictionaryRanking",
    "KernelRanking",
    "L1Ranking",
    "LInfRanking",
    "RankBoost",
    "RankNet",
    "RankingCGPrototype",
    "RankingSVM",
    "SmoothRanking",
    "SmoothRankingPrototype",
    "TableEncoder",
    "TabularModel",
    "load_dataset",
    "load_model",
    "save_model",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'smoothrank' has no attribute {name!r}")
