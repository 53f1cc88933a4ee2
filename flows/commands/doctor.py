"""`smoothrank doctor`: facts about the installation, for whoever is helping."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import typer

from flows.commands.options import AsJson

PACKAGES = (
    "numpy",
    "pandas",
    "scikit-learn",
    "tensorflow-cpu",
    "gurobipy",
    "highspy",
    "prefect",
    "mlflow",
    "dvc",
    "great-expectations",
    "fastapi",
    "sqlalchemy",
)
LOW_DISK_GB = 2.0
FOUND_PROBLEMS = 1


def doctor(
    as_json: AsJson = False,
) -> None:
    """Show versions, solver and licence, servers, schedules, data and free disk.

    Exits with 1 if something is wrong; what to do about it is printed.
    """
    facts = examine()
    if as_json:
        typer.echo(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        _print(facts)
    if facts["problems"]:
        raise typer.Exit(FOUND_PROBLEMS)


def examine() -> dict[str, Any]:
    """Return what is known about this installation, and what is wrong with it."""
    from tasks.project.paths import project_home

    home = project_home()
    facts: dict[str, Any] = {
        "smoothrank": _version("smoothrank"),
        "commit": _commit(),
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in PACKAGES},
        "solver": _solver(),
        "servers": _servers(),
        "all_servers": _all_servers(),
        "schedules": _schedules(),
        "databases": _databases(),
        "home": str(home),
        "data": _data(),
        "disk_free_gb": round(shutil.disk_usage(home).free / 1e9, 1),
    }
    return {**facts, "problems": _problems(facts)}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """Return the commit of the source tree, if smoothrank runs from one."""
    git = shutil.which("git")
    folder = Path(__file__).resolve().parents[2]
    if git is None or not (folder / ".git").exists():
        return None
    command = [git, "-C", str(folder), "describe", "--always", "--dirty=, with changes"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() or None


def _solver() -> dict[str, Any]:
    """Return which solver is used, and up to what size of problem."""
    from smoothrank.solvers.lp import backend, choose_solver

    found = backend("gurobi").capacity()
    highs = _version("highspy")
    return {
        "gurobi": found.available,
        "gurobi_size_limit": found.size_limit,
        "gurobi_licence_until": _licence_end() if found.available else None,
        "gurobi_reason": found.reason,
        "highs": highs is not None,
        "small": choose_solver("auto", 1, 1),
        "large": choose_solver("auto", sys.maxsize, sys.maxsize),
    }


def _licence_end() -> str | None:
    """Return the day on which Gurobi's licence ends, or None if it does not."""
    import gurobipy

    with (
        gurobipy.Env(params={"OutputFlag": 0}) as environment,
        gurobipy.Model(env=environment) as model,
    ):
        day = str(model.LicenseExpiration)
    return f"{day[:4]}-{day[4:6]}-{day[6:]}" if len(day) == 8 and day != "99999999" else None


def _servers() -> dict[str, dict[str, Any]]:
    from flows.servers.project_servers import server_states
    from flows.terminal.quiet import quiet

    with quiet():
        found = server_states()
    return {
        name: {"answers": state.address is not None, **asdict(state)}
        for name, state in found.items()
    }


def _all_servers() -> list[dict[str, Any]]:
    """Return the servers of this user, including those of other projects."""
    from flows.servers.user_servers import user_servers

    return [
        {**asdict(one), "address": one.address, "home_exists": Path(one.home).is_dir()}
        for one in user_servers()
    ]


def _schedules() -> list[dict[str, Any]]:
    from flows.servers.schedule_record import running_schedules

    return running_schedules()


def _databases() -> dict[str, str | None]:
    """Return what is wrong with each database of the project, if anything is."""
    from tasks.project.database_check import damage_text, database_fault
    from tasks.project.mlflow_database import mlflow_path
    from tasks.project.paths import project_home

    prefect = project_home() / ".smoothrank" / "prefect" / "prefect.db"
    found: dict[str, str | None] = {}
    for name, path in (("prefect", prefect), ("mlflow", mlflow_path())):
        if path.exists():
            fault = database_fault(path, thorough=True)
            found[name] = damage_text(path, fault) if fault else None
    return found


def _data() -> dict[str, Any]:
    from smoothrank.datasets.catalogue.catalogue import catalogue, data_folder
    from smoothrank.datasets.catalogue.fetch import file_state

    folder = data_folder()
    states = {name: file_state(name, folder) for name in catalogue()}
    named = {
        state: [name for name in states if states[name] == state]
        for state in ("changed", "missing")
    }
    return {"folder": str(folder), "known": len(states), "unchanged": _count_ok(states), **named}


def _count_ok(states: dict[str, Any]) -> int:
    return sum(state == "ok" for state in states.values())


def _problems(facts: dict[str, Any]) -> list[str]:
    problems = [
        f"{name} is not installed; `make set-up` installs it"
        for name, found in facts["packages"].items()
        if found is None
    ]
    if facts["solver"]["small"] is None:
        problems.append("there is no solver: neither Gurobi nor HiGHS can be used")
    if facts["data"]["changed"]:
        changed = ", ".join(facts["data"]["changed"])
        problems.append(
            f"changed in {facts['data']['folder']}: {changed}; "
            "`smoothrank data fetch` brings the originals back"
        )
    problems += [server["fault"] for server in facts["servers"].values() if server["fault"]]
    problems += [fault for fault in facts["databases"].values() if fault]
    if facts["disk_free_gb"] < LOW_DISK_GB:
        problems.append(f"only {facts['disk_free_gb']} GB of disk are free; make room")
    return problems


def _print(facts: dict[str, Any]) -> None:
    data, disk = facts["data"], facts["disk_free_gb"]
    commit = f" ({facts['commit']})" if facts["commit"] else ""
    lines = {
        "smoothrank": f"{facts['smoothrank']}{commit}",
        "python": f"{facts['python']}, {facts['executable']}",
        "platform": facts["platform"],
        "packages": ", ".join(f"{name} {found}" for name, found in facts["packages"].items()),
        "solver": _solver_text(facts),
        **{name: _server_text(server) for name, server in facts["servers"].items()},
        "schedules": _schedules_text(facts["schedules"]),
        "databases": _databases_text(facts["databases"]),
        "project": facts["home"],
        "data": f"{data['unchanged']} of {data['known']} data sets are here and unchanged, "
        f"in {data['folder']}{_missing_text(data['missing'])}",
        "disk": f"{disk} GB free",
    }
    for label, text in lines.items():
        typer.echo(f"{label:<11} {text}")
    for server in facts["all_servers"]:
        if server["home"] != facts["home"]:
            typer.echo(f"{'elsewhere':<11} {_elsewhere_text(server)}")
    for problem in facts["problems"]:
        typer.echo(f"{'problem':<11} {problem}")


def _server_text(server: dict[str, Any]) -> str:
    """Say which server is used, and what becomes of one that is named."""
    by, accepted = f"named by {server['named_by']}", "answers and accepts the credentials"
    if server["fault"]:
        return f"cannot be used; {by}, see below"
    own = server["address"] or "not running; started when needed"
    if server["database"]:
        return f"{own}; on {server['database']}, {by}, which {accepted}"
    return f"{own}, {by}; it {accepted}" if server["named_by"] else own


def _schedules_text(schedules: list[dict[str, Any]]) -> str:
    named = [f"{one['name']} is retrained {one['times']}" for one in schedules]
    return "; ".join(named) or "none running"


def _databases_text(databases: dict[str, str | None]) -> str:
    states = [f"{name} {'damaged' if fault else 'whole'}" for name, fault in databases.items()]
    return ", ".join(states) or "none yet"


def _elsewhere_text(server: dict[str, Any]) -> str:
    gone = "" if server["home_exists"] else ", which is gone; `smoothrank stop --all` ends it"
    return f"{server['name']} at {server['address']} of {server['home']}{gone}"


def _missing_text(missing: list[str]) -> str:
    most = 5
    more = f" and {len(missing) - most} more" if len(missing) > most else ""
    return f"; missing: {', '.join(missing[:most])}{more}" if missing else ""


def _solver_text(facts: dict[str, Any]) -> str:
    solver, packages = facts["solver"], facts["packages"]
    highs = f"HiGHS {packages['highspy']}"
    if not solver["gurobi"]:
        return f"{highs}, for any size (no Gurobi: {solver['gurobi_reason']})"
    limit, until = solver["gurobi_size_limit"], solver["gurobi_licence_until"]
    end = f"licence until {until}" if until else "licence that does not expire"
    if limit is None:
        return f"Gurobi {packages['gurobipy']}, for any size ({end})"
    return f"Gurobi {packages['gurobipy']} up to {limit} columns and rows ({end}), {highs} beyond"
