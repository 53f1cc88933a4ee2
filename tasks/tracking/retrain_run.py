"""Write a run to MLflow: one parent for data set and method, one child for each value."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from smoothrank.persistence.model_file import load_tabular_model
from smoothrank.selection.fold_fit import FoldFit
from smoothrank.selection.methods import method
from smoothrank.tables.tabular_model import TabularModel
from tasks.problem.candidates import choice_of
from tasks.problem.problem import Problem, load_data
from tasks.project.secrets import without_secrets
from tasks.results.chosen import Chosen
from tasks.results.evaluation import Evaluation
from tasks.results.fits import Trained, all_fits, furthest
from tasks.results.outcome import RetrainOutcome
from tasks.results.peers import Peer
from tasks.results.split import SplitSummary
from tasks.results.tracked_run import TrackedRun
from tasks.tracking.attempt import Attempt
from tasks.tracking.mlflow_runs import IDENTITY, PARENT, AttemptRuns, Points, ensure_experiment
from tasks.tracking.provenance import data_md5, provenance, solver_tags
from tasks.tracking.retrain_result import MEASURES
from tasks.tracking.run_names import described, first_name, run_name
from tasks.tracking.served_model import log_served_model
from tasks.validation.result import ValidationResult

REPORT = "report.html"
"""The report among the files of a run."""

NOTE = "mlflow.note.content"


def begin_tracking(
    problem: Problem, attempt: Attempt, validation: ValidationResult, parts: SplitSummary
) -> AttemptRuns:
    """Write to the parent what is known before training; a half-written one is completed."""
    runs = AttemptRuns(attempt, ensure_experiment(problem.name))
    name = first_name(problem.name, problem.method, attempt.started)
    parent = runs.run(PARENT, name, _first_tags(problem))
    runs.client.update_run(parent, "RUNNING")
    tags = {**provenance(problem.source), "data.md5": data_md5(problem.source)}
    warned = " ".join(warning.message for warning in validation.warnings)
    tags["validation.warnings"] = warned[:5000] or "none"
    runs.write(parent, (), {**_params(problem), **asdict(parts)}, tags)
    _log_dataset(runs, parent, problem)
    found = json.dumps(validation.to_dict(), ensure_ascii=False)
    _write_text(runs, parent, "validation.json", found)
    return runs


def track(
    problem: Problem,
    runs: AttemptRuns,
    trained: Sequence[Trained],
    chosen: Chosen,
    model_folder: str,
    evaluation: Evaluation,
) -> TrackedRun:
    """Write metrics, files and model to the parent; `track_value` wrote the children."""
    parent = runs.known[PARENT]
    model = load_tabular_model(model_folder)
    model_id = _logged_model(runs, parent, problem, model)
    scale = {"chosen_scale": chosen.scale or "none"}
    tags = solver_tags(evaluation.solver)
    runs.write(parent, _results(problem, trained, chosen, evaluation), scale, tags, model=model_id)
    runs.write(parent, _by_iteration(trained, chosen, evaluation))
    _log_prototypes(runs, parent, model)
    return TrackedRun(parent, runs.experiment, model_id)


def track_search(runs: AttemptRuns, chosen: Chosen) -> None:
    """Write to the parent what the search tried and what it left out, if there was one."""
    search = chosen.search
    if search is None:
        return
    parent = runs.known[PARENT]
    names = ("budget", "n_rows", "n_fits", "n_fits_of_all", "n_finalists", "n_folds")
    tags = {f"search.{name}": json.dumps(getattr(search, name)) for name in (*names, "ended_early")}
    runs.write(parent, [("search_seconds", search.seconds, 0)], tags=tags)
    _write_text(runs, parent, "search.json", json.dumps(asdict(search), ensure_ascii=False))


def end_tracking(runs: AttemptRuns, outcome: RetrainOutcome, figures: Mapping[str, bytes]) -> None:
    """Write figures, report and peers to the parent, name it by its result, and end it."""
    parent = runs.known[PARENT]
    for name, image in figures.items():
        runs.write_file(parent, f"figures/{name}.png", image)
    runs.write_file(parent, REPORT, Path(outcome.report).read_bytes())
    runs.write(parent, _peer_points(outcome.peers), tags={NOTE: described(outcome)})
    version = outcome.model_name, str(outcome.model_version)
    checksum = runs.client.get_run(parent).data.tags["data.sha256"]
    runs.client.update_model_version(*version, described(outcome, checksum))
    runs.client.update_run(parent, name=run_name(outcome, runs.attempt.started))
    runs.end(parent)


def _peer_points(peers: Sequence[Peer]) -> Points:
    return [
        (f"peer.{peer.name}.{measure}", float(value), 0)
        for peer in peers
        for measure, value in asdict(peer).items()
        if measure != "name"
    ]


def track_failure(
    problem: Problem, attempt: Attempt, error: str, validation: ValidationResult | None
) -> str:
    """Write a run that failed, with the reason and what validation found; return its id."""
    runs = AttemptRuns(attempt, ensure_experiment(problem.name))
    name = first_name(problem.name, problem.method, attempt.started)
    parent = runs.run(PARENT, name, _first_tags(problem))
    tags = {"data.sha256": problem.source.checksum, "error": without_secrets(error)[:5000]}
    runs.write(parent, (), _params(problem), tags)
    if validation is not None:
        runs.client.log_dict(parent, validation.to_dict(), "validation.json")
    for run in {**runs.known, PARENT: parent}.values():
        runs.end(run, "FAILED")
    return parent


def _first_tags(problem: Problem) -> dict[str, str]:
    return {
        "dataset": problem.name,
        "method": problem.method,
        "selection": problem.selection,
        IDENTITY: problem.identity,
    }


def _params(problem: Problem) -> dict[str, object]:
    return {
        "method": problem.method,
        "selection": problem.selection,
        "grid": list(problem.grid),
        "scales": [scale or "none" for scale in problem.scales],
        "folds": problem.folds,
        "repeats": problem.repeats,
        "fold_seed": problem.fold_seed,
        "test_share": problem.split.test_share,
        "split_seed": problem.split.seed,
        "solver": problem.solver,
        "gate_significance": problem.gate.significance,
        "gate_max_gap": problem.gate.max_gap,
        "gate_max_kkt_residual": problem.gate.max_kkt_residual,
        "target": problem.source.target,
        "positive": problem.source.positive,
    }


def _results(
    problem: Problem, trained: Sequence[Trained], chosen: Chosen, evaluation: Evaluation
) -> Points:
    names = ("test_auc", "test_auc_low", "test_auc_high", "n_prototypes", "features_used_pct")
    more = (*MEASURES, "threshold", "gap", "kkt_residual")
    found = {name: getattr(evaluation, name) for name in (*names, *more)}
    found |= {f"confusion.{name}": n for name, n in asdict(evaluation.confusion).items()}
    found |= {"cv_auc_mean": chosen.cv_auc_mean, "cv_auc_std": chosen.cv_auc_std}
    found |= method(problem.method).logged(chosen.value)
    found["fit_seconds"] = sum(fit.seconds for fits in all_fits(trained).values() for fit in fits)
    return [(name, float(value), 0) for name, value in found.items()]


def _by_iteration(trained: Sequence[Trained], chosen: Chosen, evaluation: Evaluation) -> Points:
    folds = all_fits(trained)[chosen.candidate]
    return _stepped(
        {
            "auc_by_iteration/train": evaluation.train_auc_by_iteration,
            "auc_by_iteration/validation": mean_by_iteration(folds),
            "auc_by_iteration/test": evaluation.test_auc_by_iteration,
        }
    )


def mean_by_iteration(folds: Sequence[FoldFit]) -> list[float]:
    """Return the mean validation AUC by number of prototypes; stopped folds keep their last."""
    longest = max(len(fold.auc_by_iteration) for fold in folds)
    rows = [fold.auc_by_iteration for fold in folds]
    table = [[*row, *[row[-1]] * (longest - len(row))] for row in rows]
    return [float(mean) for mean in np.mean(table, axis=0)]


def _stepped(series: dict[str, Sequence[float]]) -> list[tuple[str, float, int]]:
    return [
        (name, float(value), step)
        for name, values in series.items()
        for step, value in enumerate(values, 1)
    ]


def track_value(problem: Problem, runs: AttemptRuns, record: Trained) -> None:
    """Write a child; MLflow's pages list runs by their start, later for a larger value.

    The comparison opens on the alphabetically first metric, which should be `cv_auc_mean`.
    """
    value, fits = record.value, all_fits([record])
    choice = choice_of(problem, furthest(fits))
    name = method(problem.method).label(value)
    tags = {
        "mlflow.parentRunId": runs.known[PARENT],
        "dataset": problem.name,
        "method": problem.method,
    }
    _discard_another_choice(runs, name, choice.scale or "none")
    run = runs.run(name, name, tags, 1 + problem.grid.index(value))
    points = [
        ("cv_auc_mean", choice.cv_auc_mean, 0),
        ("cv_auc_std", choice.cv_auc_std, 0),
        ("n_folds", float(len(fits[value, choice.scale])), 0),
        ("n_prototypes", float(np.mean([f.n_prototypes for f in fits[value, choice.scale]])), 0),
    ]
    for (_, scale), folds in fits.items():
        auc = "auc" if len(fits) == 1 else f"auc_{scale or 'none'}"
        points += _stepped(
            {f"fold_{i}/{auc}": fold.auc_by_iteration for i, fold in enumerate(folds, 1)}
        )
    logged = method(problem.method).logged(value)
    runs.write(run, points, {**logged, "scale": choice.scale or "none"})
    _write_text(runs, run, "prototypes.json", json.dumps(_prototypes(problem, record)))
    runs.end(run)


def _discard_another_choice(runs: AttemptRuns, name: str, scale: str) -> None:
    """Remove the child of a killed run that got less far and chose another scaling."""
    if name not in runs.known:
        return
    noted = runs.client.get_run(runs.known[name]).data.params.get("scale", scale)
    if noted != scale:
        runs.client.delete_run(runs.known.pop(name))


def _prototypes(problem: Problem, record: Trained) -> dict[str, object]:
    features = [str(name) for name in load_data(problem).encoder.get_feature_names_out()]
    return {
        "features": features,
        "folds": {
            scale: [{"prototypes": fit.prototypes, "weights": fit.weights} for fit in fits]
            for scale, fits in record.by_scale.items()
        },
    }


def _log_prototypes(runs: AttemptRuns, parent: str, model: TabularModel) -> None:
    if not model.has_prototypes:
        return
    table = model.prototype_table()
    _write_text(runs, parent, "prototypes.csv", table.to_csv())
    rows = [[name, *row] for name, row in zip(table.index, table.to_numpy().tolist(), strict=True)]
    as_table = {"columns": ["prototype", *table.columns], "data": rows}
    _write_text(runs, parent, "prototypes.json", json.dumps(as_table))


def _write_text(runs: AttemptRuns, run: str, file: str, text: str) -> None:
    runs.write_file(run, file, text.encode())


def _log_dataset(runs: AttemptRuns, parent: str, problem: Problem) -> None:
    from mlflow.data.pandas_dataset import from_pandas
    from mlflow.entities import DatasetInput, InputTag

    if runs.client.get_run(parent).inputs.dataset_inputs:
        return
    data = load_data(problem).dataset
    frame = data.X.copy()
    frame[data.schema.target.name] = data.y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = from_pandas(frame, problem.source.path, data.schema.target.name, problem.name)
        entity = given._to_mlflow_entity()  # noqa: SLF001 (MLflow has no other way)
    tags = [InputTag("mlflow.data.context", "training and test")]
    runs.client.log_inputs(parent, [DatasetInput(entity, tags)])


def _logged_model(runs: AttemptRuns, parent: str, problem: Problem, model: TabularModel) -> str:
    """Log the model unless a complete one exists; a half-written one is removed."""
    from mlflow.entities import LoggedModelStatus

    of_run = f"source_run_id = '{parent}'"
    for found in runs.client.search_logged_models([runs.experiment], of_run):
        if found.status == LoggedModelStatus.READY:
            return str(found.model_id)
        runs.client.delete_logged_model(found.model_id)
    rows = load_data(problem).dataset.X
    return log_served_model(runs.client, runs.experiment, parent, model, rows, _params(problem))
