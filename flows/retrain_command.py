"""`smoothrank retrain`: fit on one data set, and show the model and how good it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd


@dataclass(frozen=True)
class Outcome:
    """A fitted model in the data's own units, and its AUC on both parts of the data."""

    train_rows: int
    test_rows: int
    train_auc: float
    test_auc: float
    features: list[str]
    prototypes: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]

    def prototype_table(self) -> pd.DataFrame:
        """Give one column for each prototype, heaviest first: its weight, then its coordinates."""
        import numpy as np
        import pandas as pd

        order = np.argsort(-np.abs(self.weights), kind="stable")
        rows = np.column_stack([self.weights[order], self.prototypes[order]])
        names = [f"q{i + 1}" for i in order]
        return pd.DataFrame(rows.T, index=["weight", *self.features], columns=names)


def fit_dataset(name: str) -> Outcome:
    """Fit on the paper's training part of a data set, and score both parts."""
    from sklearn.metrics import roc_auc_score

    from smoothrank import SmoothRankingPrototype
    from smoothrank.datasets import load_dataset
    from smoothrank.preprocess import Encoder, drop_missing_rows
    from smoothrank.selection import paper_split

    dataset = drop_missing_rows(load_dataset(name))
    encoder = Encoder()
    part = paper_split(encoder.fit_transform(dataset.X), dataset.y)
    model = SmoothRankingPrototype(C=1e-3, scale="standard").fit(part.X_train, part.y_train)
    return Outcome(
        train_rows=len(part.y_train),
        test_rows=len(part.y_test),
        train_auc=float(roc_auc_score(part.y_train, model.decision_function(part.X_train))),
        test_auc=float(roc_auc_score(part.y_test, model.decision_function(part.X_test))),
        features=list(encoder.get_feature_names_out()),
        prototypes=model.prototypes_,
        weights=model.weights_,
    )


def retrain(
    name: Annotated[
        str, typer.Argument(help="A name that `smoothrank data list` shows.")
    ] = "abalone9-18",
) -> None:
    """Fit on a data set; print its AUC and the prototypes in the data's units."""
    _refuse_files(name)
    outcome = fit_dataset(name)
    typer.echo(f"{name}: {len(outcome.weights)} prototypes")
    typer.echo(f"train AUC {outcome.train_auc:.3f} ({outcome.train_rows} rows)")
    typer.echo(f"test AUC  {outcome.test_auc:.3f} ({outcome.test_rows} rows)")
    typer.echo()
    typer.echo(outcome.prototype_table().to_string(float_format=_short, line_width=100))
    typer.echo()
    typer.echo("A row's score is the weighted sum of its standardised distances to the prototypes:")
    typer.echo("near one of negative weight speaks for the positive class, near another against.")


def _refuse_files(name: str) -> None:
    from smoothrank.datasets.catalog import catalogue
    from smoothrank.errors import SmoothrankError

    if name not in catalogue() and (Path(name).suffix or Path(name).exists()):
        raise SmoothrankError(
            "retrain takes the names that `smoothrank data list` shows, for now, and no files; in "
            f"Python: data = load_file({name!r}); X = Encoder().fit_transform(data.X); "
            "SmoothRankingPrototype().fit(X, data.y) (see 'Your own file' in the README)"
        )


def _short(value: float) -> str:
    """Write four digits, and nothing of what is only rounding error."""
    return f"{round(value, 12) + 0.0:.4g}"
