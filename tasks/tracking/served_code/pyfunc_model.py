"""The code that MLflow runs to serve a logged model; it is copied into the model's folder.

It lies outside the packages because running it declares the model to MLflow.
"""

import sys
from typing import Any

import pandas as pd
from mlflow.exceptions import MlflowException
from mlflow.models import set_model
from mlflow.protos.databricks_pb2 import BAD_REQUEST
from mlflow.pyfunc.model import PythonModel


class RefusedRows(MlflowException):
    """Rows that cannot be scored: the server answers 400 and one line that says why."""

    def __init__(self, line: str) -> None:
        super().__init__(line, error_code=BAD_REQUEST)

    @property
    def message(self) -> str:
        """The line, without what MLflow puts before it, such as all rows."""
        return str(self.__dict__["line"])

    @message.setter
    def message(self, text: str) -> None:
        self.__dict__.setdefault("line", text)


class ServedModel(PythonModel):
    """Raw rows in; score, probability of the positive class, and class out."""

    def load_context(self, context: Any) -> None:
        """Read the saved model that was logged beside this code."""
        from smoothrank.persistence.model_file import load_tabular_model

        self._model = load_tabular_model(context.artifacts["tabular"])
        _take_csv()

    def predict(
        self, context: Any, model_input: pd.DataFrame, params: dict[str, Any] | None = None
    ) -> pd.DataFrame:
        """Score rows as they are in the user's file."""
        from smoothrank.errors import SmoothrankError

        try:
            return self._model.scored(model_input)
        except SmoothrankError as error:
            raise RefusedRows(str(error)) from error


def _take_csv() -> None:
    """Make MLflow's server read CSV tables with columns of any type, refused by default."""
    server = sys.modules.get("mlflow.pyfunc.scoring_server")
    if server is not None:
        server.parse_csv_input = _parse_csv  # type: ignore[attr-defined]


def _parse_csv(csv_input: Any, schema: Any = None) -> pd.DataFrame:
    """Read rows: columns of texts as they are written, others as what they look like."""
    columns = schema.inputs if schema is not None else []
    texts = {column.name: str for column in columns if getattr(column.type, "name", "") == "string"}
    try:
        return pd.read_csv(csv_input, dtype=texts)
    except ValueError as error:
        raise RefusedRows(f"the CSV cannot be read: {' '.join(str(error).split())}") from error


set_model(ServedModel())
