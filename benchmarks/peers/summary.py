"""Tables and a page from the results of the comparison.

    python -m benchmarks.peers.summary [--results FILE] [--method smoothrank-best] [--output FOLDER]

Writes `summary.csv` and `index.html`. One method is tested against every other.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.peers.__main__ import names
from benchmarks.peers.comparison import Comparison, compare
from benchmarks.peers.page import SUMMARY_FILE, page
from benchmarks.peers.results import DEFAULT_OUTPUT, read_lines
from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.errors import SmoothrankError


def write(comparison: Comparison, folder: Path) -> list[Path]:
    """Write table and page; the same results give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    table, whole_page = folder / SUMMARY_FILE, folder / "index.html"
    text = comparison.summary().to_csv(lineterminator="\n", float_format="%.6g")
    write_whole(table, text.encode())
    write_whole(whole_page, page(comparison).encode())
    return [table, whole_page]


def parser() -> argparse.ArgumentParser:
    """Return the options of the command."""
    made = argparse.ArgumentParser(
        prog="python -m benchmarks.peers.summary", description=(__doc__ or "").splitlines()[0]
    )
    made.add_argument("--results", type=Path, default=DEFAULT_OUTPUT)
    made.add_argument("--method", help="the one to test against the others")
    made.add_argument("--methods", type=names, help="only these, separated by commas")
    made.add_argument("--output", type=Path, help="a folder; default that of the results")
    return made


def main() -> None:
    """Run the command."""
    arguments = parser().parse_args()
    try:
        comparison = compare(read_lines(arguments.results), arguments.method, arguments.methods)
        written = write(comparison, arguments.output or arguments.results.parent)
    except SmoothrankError as error:
        sys.exit(f"error: {error}")
    print(comparison.summary()[["mean AUC", "average rank", "mean size", "p, Holm"]].to_string())
    print(*written, sep="\n")


if __name__ == "__main__":
    main()
