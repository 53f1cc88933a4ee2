"""The code that MLflow runs to serve a logged model; it is copied into the model's folder.

It lies outside the packages because running it declares the model to MLflow.
"""

from typing import Any

import pandas as pd
from mlflow.models import set_model
from mlflow.pyfunc.model import PythonModel


class ServedModel(PythonModel):
    """Raw rows in; score, probability of the positive class, and class out."""

    def load_context(self, context: Any) -> None:
        """Read the saved model that was logged beside this code."""
        from smoothrank.tabular import TabularModel

        self._model = TabularModel.load(context.artifacts["tabular"])

    def predict(
        self, context: Any, model_input: pd.DataFrame, params: dict[str, Any] | None = None
    ) -> pd.DataFrame:
        """Score rows as they are in the user's file."""
        return self._model.scored(model_input)


set_model(ServedModel())
