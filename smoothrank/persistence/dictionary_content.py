"""What a saved `DictionaryRanking` holds, and back again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from smoothrank.persistence.certificate_content import certificate_of, kkt_residual
from smoothrank.persistence.score_content import Arrays, rebuild_score, score_arrays

if TYPE_CHECKING:
    from smoothrank.estimators.dictionary_ranking import DictionaryRanking

Content = dict[str, Any]


def describe_dictionary(model: DictionaryRanking) -> tuple[Content, Arrays]:
    """Return the fitted attributes of a `DictionaryRanking`: its columns block by block."""
    from smoothrank.columns.feature_scaling import scaler_name

    blocks: list[Content] = []
    arrays: Arrays = {"typical_row": model.typical_row_}
    for number, block in enumerate(model.model_.blocks):
        view = None if block.scaler is None else scaler_name(block.scaler)
        blocks.append({"family": block.family.name, "view": view})
        arrays |= score_arrays(block, _prefix(number))
    content = {
        "blocks": blocks,
        "objective": float(model.objective_),
        "gap": float(model.gap_),
        "n_dictionary": int(model.n_dictionary_),
        "history": [asdict(step) for step in model.history_],
    }
    return content | certificate_of(model), arrays


def restore_dictionary(model: DictionaryRanking, content: Content, arrays: Arrays) -> None:
    """Set the fitted attributes of a `DictionaryRanking`; its parameters have lists for tuples."""
    from smoothrank.columns.mixed.mixed_columns import MixedColumns
    from smoothrank.solvers.dictionary.generation import DictionaryStep

    model.set_params(families=tuple(model.families), views=tuple(model.views))
    blocks = tuple(
        rebuild_score(block["family"], block["view"], arrays, _prefix(number))
        for number, block in enumerate(content["blocks"])
    )
    model.keep_model(MixedColumns(blocks, content["n_features"]))
    model.typical_row_ = arrays["typical_row"]
    model.objective_, model.gap_ = content["objective"], content["gap"]
    model.kkt_residual_ = kkt_residual(content)
    model.n_dictionary_ = content["n_dictionary"]
    model.history_ = [DictionaryStep(**record) for record in content["history"]]


def _prefix(number: int) -> str:
    return f"block{number}."
