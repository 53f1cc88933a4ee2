"""`smoothrank promote` and `smoothrank rollback`: set the champion by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands import options as given

if TYPE_CHECKING:
    from tasks.tracking.champion import ChampionChange

Model = Annotated[
    str,
    typer.Argument(metavar="NAME|MODEL", help="A data set, your file, or a registered model."),
]


def promote(
    model: Model,
    version: Annotated[
        str, typer.Argument(metavar="VERSION", help="A version number, or challenger.")
    ],
    as_json: given.AsJson = False,
) -> None:
    """Make a version of a model champion by hand, whatever the gate said.

    The previous champion is remembered; `smoothrank rollback` goes back to it.
    """
    from tasks.tracking.champion import promote_by_hand
    from tasks.tracking.store_faults import plain_store_faults

    with plain_store_faults():
        change = promote_by_hand(model, version)
    _tell(change, as_json, "already" if change.previous_version == change.model_version else "now")


def rollback(model: Model, as_json: given.AsJson = False) -> None:
    """Make the previous champion champion again; may be repeated."""
    from tasks.tracking.champion import rollback as go_back
    from tasks.tracking.store_faults import plain_store_faults

    with plain_store_faults():
        change = go_back(model)
    _tell(change, as_json, "again")


def _tell(change: ChampionChange, as_json: bool, how: str) -> None:
    if as_json:
        typer.echo(json.dumps(change.to_dict(), ensure_ascii=False))
        return
    before = change.previous_version
    was = f" (it was version {before})" if before not in (None, change.model_version) else ""
    typer.echo(f"{change.model_name}: version {change.model_version} is {how} champion{was}")
