"""The result of a run, as the command prints it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from smoothrank.selection.methods import method
from tasks.results.confusion import Confusion
from tasks.results.peers import Peer

JSON_KEYS = (
    *("dataset", "method", "selection", "scale", "cv_auc_mean", "cv_auc_std"),
    *("test_auc", "test_auc_low", "test_auc_high", "n_prototypes", "gap", "seconds"),
    *("mlflow_run_id", "model_name", "model_version", "promoted", "reason"),
    "notes",
    *("test_average_precision", "test_brier", "test_recall_at_precision", "precision"),
    *("threshold", "confusion", "peers", "report"),
)


@dataclass(frozen=True)
class RetrainOutcome:
    """The result of a retraining.

    Parameters
    ----------
    dataset, method, selection : str
        What was learnt from, how, and how it was chosen.
    C : float
        The chosen value of the method's parameter.
    scale : str or None
        The chosen scaling.
    cv_auc_mean, cv_auc_std : float
        Validation AUC of the chosen candidate over folds.
    test_auc, test_auc_low, test_auc_high : float
        AUC on the held-out rows, and its 95 % interval.
    n_prototypes : int
        Prototypes of the model.
    gap : float
        The largest optimality gap of its fit.
    seconds : float
        Wall time of the run.
    mlflow_run_id, mlflow_experiment_id : str
        The parent run in MLflow.
    model_name, model_version : str, int
        The version in the registry.
    promoted, reason : bool, str
        Whether it became champion, and why or why not.
    n_train, n_test : int
        Rows of both parts.
    report : str
        The report file.
    test_average_precision, test_brier, test_recall_at_precision : float
        What is measured on the held-out rows beside AUC; see `tasks.assessment.measures.Measures`.
    precision : float
        The precision at which the recall is measured.
    threshold : float
        The probability at or above which a row is called positive.
    confusion : Confusion or None
        The held-out rows by class and by what the model says.
    peers : tuple of Peer
        Other models on the same rows.
    skipped : bool
        Whether nothing was done because nothing had changed; the numbers are then those of the
        last run.
    notes : tuple of str
        What reading and encoding did to the table, a plain sentence each.
    """

    dataset: str
    method: str
    selection: str
    C: float
    scale: str | None
    cv_auc_mean: float
    cv_auc_std: float
    test_auc: float
    test_auc_low: float
    test_auc_high: float
    n_prototypes: int
    gap: float
    seconds: float
    mlflow_run_id: str
    mlflow_experiment_id: str
    model_name: str
    model_version: int
    promoted: bool
    reason: str
    n_train: int = 0
    n_test: int = 0
    report: str = ""
    test_average_precision: float = math.nan
    test_brier: float = math.nan
    test_recall_at_precision: float = math.nan
    precision: float = 0.5
    threshold: float = 0.5
    confusion: Confusion | None = None
    peers: tuple[Peer, ...] = ()
    skipped: bool = False
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return what `--json` prints; a number that is not known is null.

        The chosen value goes by its name in the method, such as `C` or `columns`.
        """
        facts = {key: getattr(self, key) for key in JSON_KEYS} | method(self.method).named(self.C)
        known = {key: None if _is_nan(value) else value for key, value in facts.items()}
        peers = {peer.name: _without_name(peer) for peer in self.peers}
        confusion = {} if self.confusion is None else asdict(self.confusion)
        return known | {"peers": peers, "confusion": confusion}


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _without_name(peer: Peer) -> dict[str, object]:
    return {key: value for key, value in asdict(peer).items() if key != "name"}
