"""Write the golden models of the present schema: a small saved model of every kind, and its scores.

    .venv/bin/python -m scripts.make_golden_models

`tests/data/golden` has one folder for each schema of saved models, written by the code of its time,
with the scores that the models had then; every later version must load them and give these scores.
What is there is never written again: a change that makes them differ asks for a new schema.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from smoothrank import (
    KernelRanking,
    L1Ranking,
    LInfRanking,
    RankBoost,
    RankingCGPrototype,
    RankingSVM,
    RankNet,
    SmoothRanking,
    SmoothRankingPrototype,
    TableEncoder,
    TabularModel,
    save_model,
)
from smoothrank.arrays import Matrix
from smoothrank.columns.feature_scaling import scaler_name
from smoothrank.distillation.trees import TreesScore
from smoothrank.estimators.dictionary_ranking import DictionaryRanking
from smoothrank.estimators.foreign import ForeignRanking
from smoothrank.persistence.model_file import SCHEMA

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "data" / "golden"
Expected = dict[str, Any]
NEW_CUSTOMERS: dict[str, list[Any]] = {
    "when": ["2024-03-01", "2024-07-01", None],
    "city": ["Ghent", "Oslo", None],
    "age": [30, 61, 22],
    "income": [None, 1.5, "much"],
}


def classifiers() -> dict[str, Any]:
    """Return an estimator of every kind that can be saved."""
    of_paper = {"solver": "highs", "max_prototypes": 2}
    return {
        "smooth": SmoothRankingPrototype(scale="quantile", **of_paper),
        "ranking-cg": RankingCGPrototype(scale="standard", **of_paper),
        "l1": L1Ranking(2.0, scale="standard"),
        "linf": LInfRanking(2.0, scale="quantile"),
        "ranking-svm": RankingSVM(2.0),
        "kernel": KernelRanking(),
        "rank-boost": RankBoost(7),
        "rank-net": RankNet(0.01, n_hidden=3, n_steps=30),
        "small": SmoothRanking(2),
        "best": SmoothRanking("best"),
        "dictionary": DictionaryRanking(),
        "foreign": ForeignRanking(LogisticRegression()),
    }


def write(folder: Path) -> None:
    """Write all models to a new folder, and their scores to its `expected.json`."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    X, new = _points(rng, 60), _points(rng, 4)
    y = np.where(X["a"] + X["b"] ** 2 > 1.2, "rare", "common")
    expected: dict[str, Expected] = {}
    for kind, classifier in classifiers().items():
        model = classifier.fit(X, y)
        if kind == "best":
            _keep_few_members(model)
        save_model(model, folder / kind)
        expected[kind] = {
            "rows": new.to_dict("list"),
            "score": model.decision_function(new).tolist(),
            "probability": model.predict_proba(new)[:, 1].tolist(),
            "class": model.predict(new).tolist(),
        }
    expected["table"] = _write_table(folder / "table", rng)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", "utf-8")


def _points(rng: np.random.Generator, n: int) -> pd.DataFrame:
    return pd.DataFrame(rng.standard_normal((n, 3)).round(2), columns=["a", "b", "c"])


def _keep_few_members(model: SmoothRanking) -> None:
    """Cut an average to a kernel of each scaling and two trees: a model like others, but small."""
    average: Any = model.model_
    kernels = {
        scaler_name(one.function.scaler): one
        for one in average.members
        if not isinstance(one.function, TreesScore)
    }
    trees = next(one for one in average.members if isinstance(one.function, TreesScore))
    forest = trees.function.estimator
    forest.estimators_, forest.n_estimators = forest.estimators_[:2], 2
    model.model_ = replace(average, members=(*kernels.values(), trees))
    model.n_columns_ = model.model_.n_columns


def _write_table(folder: Path, rng: np.random.Generator) -> Expected:
    customers, bought = _customers(rng, 60)
    encoder = TableEncoder()
    X: Matrix = encoder.fit_transform(customers)
    classifier = SmoothRankingPrototype(solver="highs", scale="standard", max_prototypes=2)
    fitted = classifier.fit(X, bought)
    model = TabularModel(encoder, fitted, "bought", "no", "yes", threshold=0.25)
    save_model(model, folder)
    found = model.scored(pd.DataFrame(NEW_CUSTOMERS))
    scores = {name: found[name].tolist() for name in ("score", "probability", "class")}
    return {"rows": NEW_CUSTOMERS, **scores}


def _customers(rng: np.random.Generator, n: int) -> tuple[pd.DataFrame, Any]:
    days = pd.date_range("2024-01-01", periods=n).strftime("%Y-%m-%d")
    table = pd.DataFrame(
        {
            "when": days,
            "city": rng.choice(["Ghent", "Oslo", "Split"], n),
            "age": rng.integers(18, 70, n).astype(float),
            "income": rng.lognormal(0, 1, n).round(2),
        }
    )
    table.loc[::9, "age"], table.loc[::7, "city"] = np.nan, None
    wish = table["age"].fillna(40) + 10 * (table["city"] == "Oslo") + rng.normal(0, 8, n)
    return table, (wish > 55).to_numpy()


def main() -> None:
    """Write the golden models of the present schema, if there are none yet."""
    folder = GOLDEN / f"schema_{SCHEMA}"
    if folder.exists():
        print(f"{folder} is there, and stays as it is")
    else:
        write(folder)
        print(f"written: {folder}")


if __name__ == "__main__":
    main()
