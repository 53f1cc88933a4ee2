"""Run the paper's experiment with every method and hold the result against its tables.

    python -m benchmarks.methods [--methods l1 linf ...] [--jobs 2] [--output FILE] [NAME ...]

The CSV has one line a data set and method; lines that are there already are not run again, so that
a run that was stopped goes on where it was. The last line of the output is one JSON object.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import warnings
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from rich.progress import Progress

HERE = Path(__file__).parent
TABLE_COLUMN = {
    "smooth": "smooth_ranking_cg",
    "ranking-cg": "ranking_cg",
    "l1": "l1_ranking",
    "linf": "linf_ranking",
    "ranking-svm": "ranking_svm",
}
AUC_TOLERANCE = {"ranking-svm": 0.02}
DEFAULT_TOLERANCE = 0.005
DEFAULT_METHODS = ("l1", "linf", "ranking-svm", "ranking-cg")


@dataclass(frozen=True)
class Line:
    """One data set with one method, beside what Tables C.1 and C.2 print."""

    dataset: str
    method: str
    value: float
    cv_auc: float
    test_auc: float
    paper_test_auc: float
    auc_difference: float
    n_used: int
    paper_n_used: int
    tied_values: int
    gap: float
    worst_gap: float
    seconds: float


def paper_table(name: str) -> dict[str, dict[str, str]]:
    """A table of the paper, by data set and column."""
    with (HERE / "paper" / name).open(newline="") as file:
        return {row["dataset"]: row for row in csv.DictReader(file)}


def compare(dataset: str, name: str) -> Line:
    """Run the protocol with one method on one data set."""
    import numpy as np
    from sklearn.exceptions import ConvergenceWarning

    from smoothrank.datasets import load_dataset
    from smoothrank.experiment import paper_parts, run_experiment
    from smoothrank.methods import method
    from smoothrank.preprocess import Encoder, drop_missing_rows

    warnings.simplefilter("ignore", ConvergenceWarning)
    begin = perf_counter()
    data = drop_missing_rows(load_dataset(dataset))
    X = Encoder().fit_transform(data.X)
    result = run_experiment(method(name), X, data.y, paper_parts(data.y))
    column = TABLE_COLUMN[name]
    printed = float(paper_table("table_c1_test_auc.csv")[dataset][column])
    return Line(
        dataset=dataset,
        method=name,
        value=result.value,
        cv_auc=round(result.cv_auc, 6),
        test_auc=round(result.test_auc, 6),
        paper_test_auc=printed,
        auc_difference=round(result.test_auc - printed, 6),
        n_used=result.n_used,
        paper_n_used=int(paper_table("table_c2_features_used.csv")[dataset][column]),
        tied_values=sum(
            abs(float(np.mean(aucs)) - result.cv_auc) < 1e-9 for aucs in result.fold_aucs.values()
        ),
        gap=float(f"{result.gap:.1e}"),
        worst_gap=float(f"{result.worst_gap:.1e}"),
        seconds=round(perf_counter() - begin, 1),
    )


def read(output: Path) -> list[Line]:
    """The lines of an earlier run."""
    if not output.is_file():
        return []
    kinds = {"dataset": str, "method": str, "n_used": int, "paper_n_used": int, "tied_values": int}
    with output.open(newline="") as file:
        return [
            Line(**{key: kinds.get(key, float)(value) for key, value in row.items()})
            for row in csv.DictReader(file)
        ]


def write(lines: list[Line], output: Path) -> None:
    """Write all lines in order, or nothing."""
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_suffix(".partial")
    with partial.open("w", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Line)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            asdict(line) for line in sorted(lines, key=lambda line: (line.method, line.dataset))
        )
    partial.replace(output)


def smallest_first(names: Iterable[str]) -> list[str]:
    """Data sets in order of their size, so that most are done early."""
    from smoothrank.datasets import load_dataset

    return sorted(names, key=lambda name: len(load_dataset(name).y))


def run(names: list[str], methods: list[str], jobs: int, output: Path) -> list[Line]:
    """Run what is missing, in spawned processes of one thread each; write after each line."""
    for threads in ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS"):
        os.environ[threads] = "1"
    lines = read(output)
    done = {(line.dataset, line.method) for line in lines}
    missing = [(name, one) for name in names for one in methods if (name, one) not in done]
    with (
        ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool,
        Progress(transient=True) as progress,
    ):
        tasks = [pool.submit(compare, *pair) for pair in missing]
        bar = progress.add_task("data sets × methods", total=len(tasks))
        for task in as_completed(tasks):
            lines.append(task.result())
            write(lines, output)
            progress.advance(bar)
    return lines


def summary(lines: list[Line], name: str) -> dict[str, float]:
    """How one method's lines agree with the tables."""
    own = [line for line in lines if line.method == name]
    tolerance = AUC_TOLERANCE.get(name, DEFAULT_TOLERANCE)
    return {
        "datasets": len(own),
        f"auc_within_{tolerance}": sum(abs(x.auc_difference) <= tolerance + 5e-4 for x in own),
        "same_n_used": sum(x.n_used == x.paper_n_used for x in own),
        "worst_gap": max((x.worst_gap for x in own), default=0.0),
        "seconds": round(sum(x.seconds for x in own), 1),
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--methods", nargs="+", choices=TABLE_COLUMN, default=DEFAULT_METHODS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("reports/methods_vs_paper.csv"))
    arguments = parser.parse_args()
    names = smallest_first(arguments.names or paper_table("table_c1_test_auc.csv"))
    begin = perf_counter()
    lines = run(names, list(arguments.methods), arguments.jobs, arguments.output)
    print(
        json.dumps(
            {name: summary(lines, name) for name in arguments.methods}
            | {"seconds": round(perf_counter() - begin, 1)}
        )
    )


if __name__ == "__main__":
    main()
