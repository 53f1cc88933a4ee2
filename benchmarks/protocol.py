"""Run the paper's experiment over its data sets and compare the results with its tables.

    python -m benchmarks.protocol [--jobs 2] [--solver auto] [--output FILE] [NAME ...]

The CSV has one line per data set: chosen C, validation and test AUC, number of prototypes, and what
Tables C.1 and C.2 print. The last line of the output is one JSON object.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from rich.progress import Progress

HERE = Path(__file__).parent
AUC_TOLERANCE = 0.002


@dataclass(frozen=True)
class Comparison:
    """One line of the comparison."""

    dataset: str
    C: float
    cv_auc: float
    test_auc: float
    paper_test_auc: float
    auc_difference: float
    n_prototypes: int
    paper_n_prototypes: int
    gap: float
    tied_values_of_C: int
    seconds: float


def paper_column(table: str, column: str) -> dict[str, float]:
    """Return one column of a table of the paper, by data set."""
    with (HERE / "paper" / table).open(newline="") as file:
        return {row["dataset"]: float(row[column]) for row in csv.DictReader(file)}


def compare(name: str, solver: str) -> Comparison:
    """Run the protocol on one data set."""
    from smoothrank.datasets import load_dataset
    from smoothrank.tables.one_hot import Encoder, drop_missing_rows
    from tests.support.oracles.paper_protocol import paper_protocol

    begin = perf_counter()
    data = drop_missing_rows(load_dataset(name))
    result = paper_protocol(Encoder().fit_transform(data.X), data.y, solver=solver)
    printed = paper_column("table_c1_test_auc.csv", "smooth_ranking_cg")[name]
    return Comparison(
        dataset=name,
        C=result.C,
        cv_auc=result.cv_auc,
        test_auc=result.test_auc,
        paper_test_auc=printed,
        auc_difference=result.test_auc - printed,
        n_prototypes=result.n_prototypes,
        paper_n_prototypes=int(
            paper_column("table_c2_features_used.csv", "smooth_ranking_cg")[name]
        ),
        gap=result.gap,
        tied_values_of_C=sum(abs(value - result.cv_auc) < 1e-9 for value in result.cv_auc_by_C),
        seconds=perf_counter() - begin,
    )


def run(names: Iterable[str], solver: str, jobs: int) -> list[Comparison]:
    """Run the protocol on several data sets, in spawned processes."""
    for threads in ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS"):
        os.environ[threads] = "1"
    with (
        ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool,
        Progress(transient=True) as progress,
    ):
        tasks = [pool.submit(compare, name, solver) for name in names]
        bar = progress.add_task("data sets", total=len(tasks))
        lines = []
        for task in as_completed(tasks):
            lines.append(task.result())
            progress.advance(bar)
    return sorted(lines, key=lambda line: line.dataset)


def write(lines: list[Comparison], output: Path) -> None:
    """Write the comparison, or nothing."""
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_suffix(".partial")
    with partial.open("w", newline="") as file:
        writer = csv.DictWriter(
            file, [field.name for field in fields(Comparison)], lineterminator="\n"
        )
        writer.writeheader()
        for line in lines:
            rounded = {
                key: round(value, 6)
                if isinstance(value, float) and key not in ("C", "gap")
                else value
                for key, value in asdict(line).items()
            }
            writer.writerow(rounded | {"gap": f"{line.gap:.1e}", "seconds": f"{line.seconds:.1f}"})
    partial.replace(output)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--solver", choices=["auto", "gurobi", "highs"], default="auto")
    parser.add_argument("--output", type=Path, default=Path("reports/smooth_vs_paper.csv"))
    arguments = parser.parse_args()
    names = arguments.names or list(paper_column("table_c1_test_auc.csv", "smooth_ranking_cg"))
    begin = perf_counter()
    lines = run(names, arguments.solver, arguments.jobs)
    write(lines, arguments.output)
    print(
        json.dumps(
            {
                "datasets": len(lines),
                "auc_within_0.002": sum(abs(x.auc_difference) <= AUC_TOLERANCE for x in lines),
                "same_n_prototypes": sum(x.n_prototypes == x.paper_n_prototypes for x in lines),
                "worst_gap": max(x.gap for x in lines),
                "seconds": round(perf_counter() - begin, 1),
                "solver": arguments.solver,
            }
        )
    )


if __name__ == "__main__":
    main()
