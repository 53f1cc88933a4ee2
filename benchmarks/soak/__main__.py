"""A hundred scheduled retrains in one run, and what they leave behind.

    python -m benchmarks.soak [--runs 100] [--interval 5] [--json FILE]

A new project folder gets a small file, which `smoothrank schedule` retrains on, and whose rows are
replaced as soon as a run has said what came of it; the pages of MLflow and Prefect are open too.
The table shows what schedule and servers use after the first run, after a tenth of the runs and
after the last, and how much one retrain adds from the second on. With --json the same, with
every measurement between and the rows of each table, goes to a file.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.soak.usage import Usage, tables, usage

COMMAND = (sys.executable, "-m", "flows.commands.cli")
PARAMS = """
training: {method: l1}
selection:
  folds: 3
  repeats: 1
  scales: [standard]
  grids:
    l1: [0.1, 1.0]
"""
"""A search of six fits: the schedule is what is tried here."""
MEASURED = 10
"""How many times it is measured."""
LONGEST_RUN = 600.0
QUIET_SECONDS = 3.0
"""How long after a run its process may still be ending, and its records be written."""


def write_rows(path: Path, seed: int, rows: int = 150) -> None:
    """Write a table of the same kind as before, with other rows."""
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, rows)).round(4)
    is_rare = a + b + rng.normal(0, 0.15, rows) > 1.45
    kind = rng.choice(["x", "y"], rows)
    table = pd.DataFrame({"a": a, "b": b, "kind": kind, "y": np.where(is_rare, "rare", "usual")})
    table.to_csv(path.with_suffix(".new"), index=False)
    path.with_suffix(".new").replace(path)


def soak(home: Path, runs: int, interval: float) -> dict[str, Any]:
    """Retrain on schedule so many times, and return what was measured.

    Parameters
    ----------
    home : Path
        The project folder, which is new.
    runs : int
        How many retrains.
    interval : float
        Seconds from the begin of one scheduled run to the next.
    """
    data, log, temporary = home / "parts.csv", home / "schedule.log", home / "temporary"
    temporary.mkdir()
    environment = os.environ | {"SMOOTHRANK_HOME": str(home), "TMPDIR": str(temporary)}
    (home / "params.yaml").write_text(PARAMS)
    write_rows(data, 0)
    given = [str(data), "--target", "y", "--positive", "rare", "--interval", f"{interval:g}"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*COMMAND, "schedule", *given], cwd=home, env=environment, stdout=output, stderr=output
        )
    found: list[Usage] = []
    begin = time.monotonic()
    try:
        subprocess.run(
            [*COMMAND, "ui", "--json"], cwd=home, env=environment, check=True, capture_output=True
        )
        for version in range(1, runs + 1):
            said = _wait_for_version(process, log, version)
            if version in (1, runs) or version % max(1, runs // MEASURED) == 0:
                time.sleep(QUIET_SECONDS)
                measured = {"run": float(version), "seconds": time.monotonic() - begin}
                found.append(measured | usage(home, process.pid, temporary))
                print(f"{found[-1]['seconds']:6.0f} s  {said}", flush=True)
            write_rows(data, version)
        return {"runs": runs, "measured": found, "tables": tables(home)}
    finally:
        subprocess.run([*COMMAND, "stop", "--yes"], cwd=home, env=environment, check=False)
        process.kill()
        process.wait()


def _wait_for_version(process: subprocess.Popen[bytes], log: Path, version: int) -> str:
    """Return the line in which a run says that it registered a version."""
    deadline = time.monotonic() + LONGEST_RUN
    while time.monotonic() < deadline and process.poll() is None:
        lines = log.read_text().splitlines()
        for line in reversed(lines):
            if f": version {version}, test AUC" in line:
                return line
        if failed := [line for line in lines if ": failed" in line]:
            raise SystemExit(f"a run failed: {failed[0]}")
        time.sleep(0.1)
    raise SystemExit(f"version {version} did not come:\n{log.read_text()[-2000:]}")


def table_text(measured: list[Usage]) -> str:
    """Return the first, an early and the last measurement side by side, and the growth by run."""
    first, early, last = measured[0], measured[1], measured[-1]
    between = last["run"] - early["run"] or 1.0
    heads = ["", *(f"run {one['run']:.0f}" for one in (first, early, last)), "each run adds"]
    rows = [heads]
    for name in last:
        if name != "run":
            values = [one.get(name, 0.0) for one in (first, early, last)]
            growth = (values[2] - values[1]) / between
            rows.append([name, *(f"{value:,.1f}" for value in values), f"{growth:+,.3f}"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )


def main() -> None:
    """Run the soak and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=100, help="how many retrains, two at least")
    parser.add_argument("--interval", type=float, default=5.0, help="seconds between begins")
    parser.add_argument("--json", type=Path, help="a file for all that was measured")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before the last run"))
    with tempfile.TemporaryDirectory(prefix="smoothrank-soak-") as folder:
        found = soak(Path(folder), max(2, given.runs), given.interval)
    print(table_text(found["measured"]))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
