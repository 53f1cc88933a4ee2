"""Compare smoothrank with other methods on many data sets and splits.

    python -m benchmarks.peers [--datasets paper] [--seeds 10,0,1,2,3,4] [--jobs 2]

Every method is tuned, fitted and tested on the same rows. Each result is a line of the output; a
command that was killed goes on after the last one. `python -m benchmarks.peers.summary` turns the
results into tables and a page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers.data import dataset_names
from benchmarks.peers.participants import PARTICIPANTS, missing_packages
from benchmarks.peers.results import DEFAULT_OUTPUT, appending
from benchmarks.peers.run import all_jobs, run_jobs
from flows.terminal.quiet import quiet
from smoothrank.errors import SmoothrankError

SEEDS = (10, 0, 1, 2, 3, 4)
"""10 is the paper's split; the others are fresh."""

ADVICE = "pip install 'smoothrank[peers]'"
INTERRUPTED = 130


def names(text: str) -> list[str]:
    """Return the names of a list that is separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _seeds(text: str) -> list[int]:
    return [int(seed) for seed in names(text)]


def parser() -> argparse.ArgumentParser:
    """Return the options of the command."""
    known = ", ".join(PARTICIPANTS.names())
    made = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=(__doc__ or "").splitlines()[0],
        epilog=f"methods: {known}",
    )
    made.add_argument("--methods", type=names, help="names, separated by commas; default all")
    made.add_argument(
        "--datasets",
        type=names,
        default=["paper"],
        help="paper (its 73), others (36 that it does not use), large (six tables of 5,000 to "
        "60,000 rows), or names, separated by commas",
    )
    made.add_argument(
        "--seeds", type=_seeds, default=list(SEEDS), help="of the splits; 10 is the paper's"
    )
    made.add_argument("--jobs", type=int, default=2, help="processes of one thread each")
    made.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    made.add_argument(
        "--mlflow", action="store_true", help="log each method and seed as a run of MLflow"
    )
    return made


def usable_methods(asked: Sequence[str] | None) -> list[str]:
    """Return the methods to run: those asked for, or all that are installed.

    Raises
    ------
    SmoothrankError
        If a name is unknown, or a method was asked for whose package is not installed.
    """
    wanted = list(dict.fromkeys(asked or PARTICIPANTS.names()))
    missing = {name: missing_packages(PARTICIPANTS[name]) for name in wanted}
    lacking = [name for name, packages in missing.items() if packages]
    if lacking:
        packages = sorted({package for found in missing.values() for package in found})
        text = f"{', '.join(lacking)}: not installed ({', '.join(packages)}); {ADVICE}"
        if asked:
            raise SmoothrankError(text)
        print(f"left out: {text}", file=sys.stderr)
    return [name for name in wanted if name not in lacking]


def compare(arguments: argparse.Namespace) -> int:
    """Run what was asked for; return the exit code."""
    methods = usable_methods(arguments.methods)
    jobs = all_jobs(dataset_names(arguments.datasets), arguments.seeds, methods)
    with appending(arguments.output) as results:
        failures = run_jobs(jobs, results, arguments.jobs)
        wanted = set(jobs)
        lines = [line for line in results.lines if line.job in wanted]
    if arguments.mlflow:
        from benchmarks.peers.track import track

        track(lines)
    for text in failures.lines():
        print(text, file=sys.stderr)
    print(f"{len(lines)} of {len(jobs)} results are in {arguments.output}")
    return 1 if failures.counts else 0


def main() -> None:
    """Run the command."""
    arguments = parser().parse_args()
    try:
        with quiet():
            code = compare(arguments)
    except SmoothrankError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(INTERRUPTED)
    sys.exit(code)


if __name__ == "__main__":
    main()
