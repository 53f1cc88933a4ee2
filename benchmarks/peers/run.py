"""All jobs of a comparison, spread over processes, with progress."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from benchmarks.peers.progress import progress
from benchmarks.peers.protocol import run_job
from benchmarks.peers.results import Appender, Job, Line
from smoothrank.errors import SmoothrankError
from tasks.workers.processes import elsewhere, processes


@dataclass
class Failures:
    """The jobs that failed, by method: how many, and the first of them."""

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, job: Job, error: Exception) -> None:
        """Count a failure."""
        self.counts[job.method] = self.counts.get(job.method, 0) + 1
        words = " ".join(f"{type(error).__name__}: {error}".split())
        self.first.setdefault(job.method, f"{job.dataset}, seed {job.seed}: {words}")

    def lines(self) -> list[str]:
        """Return a line for each method."""
        return [
            f"{name} failed on {n} of its splits, first on {self.first[name]}"
            for name, n in self.counts.items()
        ]


def all_jobs(datasets: Sequence[str], seeds: Sequence[int], methods: Sequence[str]) -> list[Job]:
    """Return the jobs: seed after seed, and the methods of a data set together."""
    return [Job(data, seed, name) for seed in seeds for data in datasets for name in methods]


def run_jobs(jobs: Sequence[Job], results: Appender, n_processes: int) -> Failures:
    """Run the jobs that have no result yet.

    Raises
    ------
    SmoothrankError
        If a process was killed.
    """
    done = {line.job for line in results.lines}
    todo = [job for job in jobs if job not in done]
    failures = Failures()
    with processes(n_processes), progress(len(jobs), len(jobs) - len(todo)) as advance:
        futures = {elsewhere(run_job, job): job for job in todo}
        for future in as_completed(futures):
            try:
                line: Line = future.result()
            except BrokenProcessPool:
                raise SmoothrankError(
                    "a process has ended before its work was done, perhaps for want of memory; the "
                    "same command goes on from here"
                ) from None
            except Exception as error:
                failures.add(futures[future], error)
            else:
                results.add(line)
            advance()
    return failures
