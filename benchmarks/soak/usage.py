"""What a schedule and its servers use: memory, files, threads, processes, databases, disk."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import psutil

Usage = dict[str, float]
MB = 1024.0**2


def usage(home: Path, scheduler: int, temporary: Path) -> Usage:
    """Return what is used now, by name.

    Parameters
    ----------
    home : Path
        The project folder.
    scheduler : int
        The process of `smoothrank schedule`.
    temporary : Path
        The temporary folder of all its processes.
    """
    found: Usage = {}
    for name, pid in {"schedule": scheduler, **_servers(home)}.items():
        found |= _process_usage(name, pid)
    for path in (home / ".smoothrank" / "prefect" / "prefect.db", home / "mlruns" / "mlflow.db"):
        found |= _database_usage(path)
    found["processes"] = len(_processes(home, scheduler))
    for name, folder in {"state": home / ".smoothrank", "mlruns": home / "mlruns"}.items():
        found[f"{name}: MB on disk"], found[f"{name}: files"] = _disk_usage(folder)
    found["temporary: files"] = _disk_usage(temporary)[1]
    return found


def tables(home: Path) -> dict[str, int]:
    """Return the rows of each table of both databases."""
    paths = (home / ".smoothrank" / "prefect" / "prefect.db", home / "mlruns" / "mlflow.db")
    return {f"{path.stem}.{name}": n for path in paths for name, n in _rows(path).items()}


def _servers(home: Path) -> dict[str, int]:
    records = {name: home / ".smoothrank" / f"{name}.json" for name in ("prefect", "mlflow")}
    return {
        name: int(json.loads(path.read_text())["pid"])
        for name, path in records.items()
        if path.exists()
    }


def _family(pid: int) -> list[psutil.Process]:
    """Return a process and all that it has started."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


def _processes(home: Path, scheduler: int) -> set[int]:
    pids = (scheduler, *_servers(home).values())
    return {process.pid for pid in pids for process in _family(pid)}


def _process_usage(name: str, pid: int) -> Usage:
    """Return what a process uses itself; a run that it has started is not counted."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return {
            f"{name}: MB of memory": process.memory_info().rss / MB,
            f"{name}: open files": process.num_fds(),
            f"{name}: threads": process.num_threads(),
        }
    return {}


def _database_usage(path: Path) -> Usage:
    files = [path, *path.parent.glob(f"{path.name}-*")]
    size = sum(file.stat().st_size for file in files if file.exists()) / MB
    return {f"{path.name}: MB": size, f"{path.name}: rows": sum(_rows(path).values())}


def _rows(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60.0)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        counts = {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
            for (name,) in names
        }
    return {name: int(count) for name, count in counts.items() if count}


def _disk_usage(folder: Path) -> tuple[float, int]:
    sizes = []
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                sizes.append(path.stat().st_size)
    return sum(sizes) / MB, len(sizes)
