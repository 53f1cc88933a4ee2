"""The model in MLflow: logged without pickle, served on raw rows, and read back."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import smoothrank
from smoothrank.errors import SmoothrankError
from smoothrank.persistence.model_file import load_tabular_model, save_model
from tasks.tracking.artifacts import MODEL_PARTS
from tasks.tracking.model_location import is_address, model_folder

if TYPE_CHECKING:
    import pandas as pd

    from smoothrank.tables.columns import TableColumn
    from smoothrank.tables.one_hot import Column
    from smoothrank.tables.tabular_model import TabularModel

CODE = Path(__file__).parent / "served_code" / "pyfunc_model.py"
TABULAR = "tabular"
EXAMPLE_ROWS = 5
NEEDED = ("mlflow", "numpy", "pandas", "scikit-learn", "scipy", "skops", "threadpoolctl")
"""What scoring imports, beside smoothrank's own code, which is logged with the model."""


class ServedModelError(SmoothrankError):
    """A model cannot be loaded from MLflow or from a folder."""


def log_served_model(
    client: Any,
    experiment: str,
    run: str,
    model: TabularModel,
    example: pd.DataFrame,
    params: Mapping[str, Any] | None = None,
) -> str:
    """Log a model to a run, ready for `mlflow models serve`; it is READY once complete.

    The logged folder has the saved model (JSON and npz), the code that serves it, smoothrank's
    own source and exact versions of what it needs. Unlike `mlflow.pyfunc.log_model` this neither
    ends the run nor tries the model on its example, which only warns.

    Parameters
    ----------
    client : mlflow.MlflowClient
        The client that writes.
    experiment, run : str
        The number of the experiment and the id of the run.
    model : TabularModel
        The model.
    example : pandas.DataFrame
        Raw rows; the first few become the input example.
    params : mapping, optional
        Parameters that MLflow shows beside the model.

    Returns
    -------
    str
        The model's id; its address is `models:/ID`.
    """
    _be_quiet()
    from mlflow.entities import LoggedModelOutput, LoggedModelStatus

    texts = {key: str(value) for key, value in (params or {}).items()}
    made = client.create_logged_model(experiment, "model", run, params=texts)
    client.log_outputs(run, [LoggedModelOutput(made.model_id, step=0)])
    with tempfile.TemporaryDirectory() as scratch:
        folder = _save(model, example, made, Path(scratch))
        client.log_model_artifacts(made.model_id, str(folder))
    client.finalize_logged_model(made.model_id, LoggedModelStatus.READY)
    return str(made.model_id)


def _save(model: TabularModel, example: pd.DataFrame, made: Any, scratch: Path) -> Path:
    from mlflow.models import Model
    from mlflow.pyfunc import save_model as save_pyfunc

    tabular, folder = save_model(model, scratch / TABULAR), scratch / "model"
    about = Model(
        made.artifact_location,
        made.source_run_id,
        model_uuid=made.model_id,
        model_id=made.model_id,
    )
    with _only_warnings():
        save_pyfunc(
            folder,
            mlflow_model=about,
            python_model=str(CODE),
            artifacts={TABULAR: str(tabular)},
            code_paths=[str(Path(smoothrank.__file__).parent)],
            pip_requirements=pinned_requirements(),
            signature=model_signature(model),
            input_example=_example(model, example),
            metadata=_facts(model),
        )
    return folder


def _be_quiet() -> None:
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")


@contextmanager
def _only_warnings() -> Iterator[None]:
    """Keep MLflow from logging each successful step."""
    logger = logging.getLogger("mlflow")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


@cache
def pinned_requirements() -> list[str]:
    """Return the packages that serving needs, in the versions that are installed here."""
    return [f"{package}=={version(package)}" for package in NEEDED]


def model_signature(model: TabularModel) -> Any:
    """Return the model's inputs and outputs, as MLflow checks them.

    A column of texts is a string. Numbers are `any`: MLflow would refuse a whole number where it
    has seen fractions, and a fraction or a missing value where it has seen whole numbers; the
    model itself checks that they are numbers.
    """
    from mlflow.models import ModelSignature
    from mlflow.types import schema

    number: Any = schema.AnyType()  # type: ignore[no-untyped-call]
    inputs: list[Any] = [
        schema.ColSpec("string" if _is_text(column) else number, column.name)
        for column in model.columns
    ]
    outputs: list[Any] = [
        schema.ColSpec("double", "score"),
        schema.ColSpec("double", "probability"),
        schema.ColSpec("string", "class"),
    ]
    return ModelSignature(schema.Schema(inputs), schema.Schema(outputs))


def _is_text(column: Column | TableColumn) -> bool:
    """Return whether no reader would parse a level as a number or a boolean."""
    levels = column.levels or ("0",)
    return not any(_looks_like_a_value(level) for level in levels)


def _looks_like_a_value(level: str) -> bool:
    if level.lower() in ("true", "false"):
        return True
    try:
        float(level)
    except ValueError:
        return False
    return True


def _example(model: TabularModel, example: pd.DataFrame) -> pd.DataFrame:
    names = [column.name for column in model.columns]
    return example[names].head(EXAMPLE_ROWS).reset_index(drop=True)


def _facts(model: TabularModel) -> dict[str, object]:
    return {
        "smoothrank": smoothrank.__version__,
        "estimator": type(model.classifier).__name__,
        "target": model.target,
        "positive": model.positive,
        "negative": model.negative,
        "threshold": model.threshold,
        "inputs": {
            column.name: getattr(column, "kind", "number")
            if column.levels is None
            else list(column.levels)
            for column in model.columns
        },
    }


def load_served_model(source: str) -> TabularModel:
    """Read a model from the registry, from a run, or from a folder.

    Parameters
    ----------
    source : str
        `models:/NAME@ALIAS`, `models:/NAME/VERSION`, `runs:/ID/model`, a folder that
        `TabularModel.save` wrote, or one that MLflow downloaded.

    Raises
    ------
    SmoothrankError
        If there is no such model, or it is not one of ours, or it was changed.
    """
    named = is_address(source)
    with model_folder(source, MODEL_PARTS) if named else nullcontext(Path(source)) as folder:
        return load_tabular_model(_tabular_folder(folder, source))


def _tabular_folder(folder: Path, source: str) -> Path:
    if not folder.is_dir():
        raise ServedModelError(
            f"there is no model {source!r}: name a folder, or models:/NAME@champion of the registry"
        )
    if not (folder / "MLmodel").exists():
        return folder
    inside = folder / "artifacts" / TABULAR
    if not inside.is_dir():
        raise ServedModelError(f"{source} is an MLflow model, but not one that smoothrank logged")
    return inside
