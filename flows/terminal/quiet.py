"""Keep the libraries' own output off the terminal: a user sees progress and results."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_ENVIRONMENT = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_CLI_WRAP_LINES": "false",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "GIT_PYTHON_REFRESH": "quiet",
}


@contextmanager
def quiet() -> Iterator[None]:
    """Silence all logging while the block runs; errors are raised as usual."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
