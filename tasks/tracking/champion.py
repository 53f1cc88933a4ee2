"""The champion and its predecessors, and how they change: by the gate or by hand.

The registered model keeps its champions in order, as a stack: a new one is put on top, and a
rollback takes it off again. Each version records since when it has been champion; one that another
machine put on the stack at the same time is found by that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from smoothrank.errors import SmoothrankError
from tasks.project.database_check import check_database
from tasks.project.identifier import identifier
from tasks.project.locks import locked
from tasks.project.mlflow_database import mlflow_path
from tasks.project.mlflow_store import ensure_mlflow_store, mlflow_store
from tasks.project.paths import project_home
from tasks.tracking.mlflow_runs import mlflow_client

CHALLENGER, CHAMPION = "challenger", "champion"
HISTORY, SINCE, ROLLED_BACK = "champion_history", "champion_since", "rolled_back"
_MOST_REMEMBERED = 500
_PREFIX = "smoothrank-"


class NoChampionError(SmoothrankError):
    """There is no such model or version, or no earlier one."""


def model_name(dataset: str) -> str:
    """Return the name of a data set's model in the registry."""
    return f"{_PREFIX}{identifier(dataset)}"


@dataclass(frozen=True)
class ChampionChange:
    """Who is champion now.

    Parameters
    ----------
    model_name : str
        The registered model.
    model_version : int
        Its champion.
    previous_version : int or None
        The champion before; the same if nothing has changed.
    champion_history : list of int
        All champions that a rollback can go back to, the present one last.
    """

    model_name: str
    model_version: int
    previous_version: int | None
    champion_history: list[int]

    def to_dict(self) -> dict[str, object]:
        """Return plain values, ready for JSON."""
        return asdict(self)


def promote_by_hand(model: str, version: str) -> ChampionChange:
    """Make a version champion, whatever the gate said.

    Parameters
    ----------
    model : str
        A data set, a file, or a registered model.
    version : str
        A number, or the alias `challenger`.

    Raises
    ------
    NoChampionError
        If there is no such model or version; the message says what there is.
    """
    client = registry()
    name = find_model(client, model)
    aliases, known = client.get_registered_model(name).aliases, versions(client, name)
    asked = str(aliases.get(version, version))
    if asked not in map(str, known):
        there = ", ".join(map(str, known)) or "none"
        raise NoChampionError(f"{name} has no version {version!r}; there are {there}")
    return crown(client, name, int(asked))


def crown(client: Any, name: str, version: int) -> ChampionChange:
    """Make a version champion, and remember the previous one."""
    with locked("registry"):
        before = champions(client, name)
        previous = before[-1] if before else None
        if previous == version:
            after = before
            if SINCE not in client.get_model_version(name, str(version)).tags:
                _tell(client, name, version, SINCE)
        else:
            after = [*before, version]
            _tell(client, name, version, SINCE)
        _write(client, name, after)
    return ChampionChange(name, version, previous, after)


def rollback(model: str) -> ChampionChange:
    """Make the previous champion champion again.

    Raises
    ------
    NoChampionError
        If there is no such model, or no earlier champion.
    """
    client = registry()
    name = find_model(client, model)
    with locked("registry"):
        before = champions(client, name)
        if len(before) < 2:
            present = (
                f"version {before[0]} is its only champion so far" if before else "it has none"
            )
            there = ", ".join(map(str, versions(client, name))) or "none"
            raise NoChampionError(
                f"{name} has no earlier champion: {present}. `smoothrank promote {model} VERSION` "
                f"makes another version champion; there are {there}"
            )
        *after, rejected = before
        _tell(client, name, rejected, ROLLED_BACK)
        _tell(client, name, after[-1], SINCE)
        _write(client, name, after)
    return ChampionChange(name, after[-1], rejected, after)


def champions(client: Any, name: str) -> list[int]:
    """Return the champions in order, the present one last; versions that were deleted are left out.

    An alias that was set by hand in MLflow counts. Where nothing was remembered yet, the versions
    that passed the gate were champions.
    """
    model, known = client.get_registered_model(name), _versions(client, name)
    remembered = json.loads(model.tags.get(HISTORY, "null"))
    alias = model.aliases.get(CHAMPION)
    present = None if alias is None else int(alias)
    if remembered is None:
        remembered = [v for v in known if present is None or v < present]
        remembered = [v for v in remembered if _passed(client, name, v)] if present else []
    found = [int(version) for version in remembered if int(version) in known]
    crowned = {v: tags[SINCE] for v, tags in known.items() if _is_crowned(tags)}
    for version in sorted(set(crowned) - set(found), key=lambda v: (crowned[v], v)):
        earlier = [i for i, v in enumerate(found) if crowned.get(v, "") <= crowned[version]]
        found.insert(earlier[-1] + 1 if earlier else 0, version)
    if present is not None and found[-1:] != [present]:
        found.append(present)
    return found


def _is_crowned(tags: Mapping[str, str]) -> bool:
    """Return whether a version became champion and was not rolled back since."""
    return SINCE in tags and tags.get(ROLLED_BACK, "") < tags[SINCE]


def versions(client: Any, name: str) -> list[int]:
    """Return the versions of a model in order."""
    return list(_versions(client, name))


def _versions(client: Any, name: str) -> dict[int, dict[str, str]]:
    """Return the versions of a model in order, each with its tags."""
    found = {int(v.version): v.tags for v in client.search_model_versions(named(name))}
    return dict(sorted(found.items()))


def named(name: str) -> str:
    """Return MLflow's filter for a model of this name, which may hold an apostrophe."""
    quote = '"' if "'" in name else "'"
    return f"name = {quote}{name}{quote}"


def registry() -> Any:
    """Return a client of the registry, which must exist.

    Raises
    ------
    NoChampionError
        If no model was ever made.
    StoreError
        If the registry of a team cannot be asked.
    """
    if mlflow_store().kind != "own":
        ensure_mlflow_store()
        return mlflow_client()
    if not mlflow_path().exists():
        raise NoChampionError(
            f"no model was ever made in {project_home()}; `smoothrank retrain` makes one"
        )
    check_database(mlflow_path())
    return mlflow_client()


def find_model(client: Any, model: str) -> str:
    """Return the name of the registered model of a data set or file, or of that name itself.

    Raises
    ------
    NoChampionError
        If there is none; the message says which there are.
    """
    known = [str(found.name) for found in client.search_registered_models()]
    bare = model.removeprefix("models:/").partition("@")[0]
    stem = Path(bare).stem
    as_before = f"{_PREFIX}{bare}", f"{_PREFIX}{stem}"  # registered under names of any kind
    for name in (bare, model_name(bare), model_name(stem), *as_before):
        if name in known:
            return name
    there = ", ".join(known) or "none"
    raise NoChampionError(f"there is no model of {model!r}; registered are: {there}")


def _passed(client: Any, name: str, version: int) -> bool:
    run = client.get_run(client.get_model_version(name, str(version)).run_id)
    return bool(run.data.tags.get("gate.promoted") == "true")


def _tell(client: Any, name: str, version: int, tag: str) -> None:
    """Record when something happened to a version: after all before, also by a clock set back."""
    tags = client.get_model_version(name, str(version)).tags
    before = [datetime.fromisoformat(tags[one]) for one in (SINCE, ROLLED_BACK) if one in tags]
    now = max([datetime.now(UTC), *(one + timedelta(seconds=1) for one in before)])
    client.set_model_version_tag(name, str(version), tag, now.isoformat(timespec="seconds"))


def _write(client: Any, name: str, champions: list[int]) -> None:
    client.set_registered_model_tag(name, HISTORY, json.dumps(champions[-_MOST_REMEMBERED:]))
    client.set_registered_model_alias(name, CHAMPION, str(champions[-1]))
