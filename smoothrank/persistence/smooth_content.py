"""What a saved `SmoothRanking` or `KernelRanking` holds, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from smoothrank.losses.certificate import Certificate
from smoothrank.persistence.certificate_content import certificate_of, kkt_residual
from smoothrank.persistence.encoder_content import ModelFileError
from smoothrank.persistence.foreign_content import estimator_bytes, estimator_from
from smoothrank.persistence.score_content import Arrays, rebuild_score, score_arrays

if TYPE_CHECKING:
    from smoothrank.columns.weighted import WeightedColumns
    from smoothrank.distillation.average import Average, Member
    from smoothrank.distillation.trees import TreesScore
    from smoothrank.estimators.kernel_ranking import KernelRanking
    from smoothrank.estimators.smooth_ranking import SmoothRanking

Content = dict[str, Any]

_TREES = "trees"


def describe_kernel(model: KernelRanking) -> tuple[Content, Arrays]:
    """Return the fitted attributes of a `KernelRanking`."""
    content = {
        "family": model.model_.family.name,
        "objective": float(model.objective_),
        "gap": float(model.gap_),
        "n_iter": int(model.n_iter_),
    }
    return content | certificate_of(model), score_arrays(model.model_)


def restore_kernel(model: KernelRanking, score: WeightedColumns, content: Content) -> None:
    """Set the fitted attributes of a `KernelRanking`."""
    model.model_ = score
    model.weights_ = score.weights
    model.reference_rows_ = score.in_data_units()
    model.objective_, model.gap_ = content["objective"], content["gap"]
    model.kkt_residual_ = kkt_residual(content)
    model.n_iter_ = content["n_iter"]


def describe_smooth(model: SmoothRanking) -> tuple[Content, Arrays]:
    """Return the fitted attributes of a `SmoothRanking`: its columns, or all of its average."""
    content: Content = {
        "cv_results": {name: list(found) for name, found in model.cv_results_.items()},
        "gap": float(model.gap_),
        **certificate_of(model),
    }
    arrays: Arrays = {"typical_row": model.typical_row_}
    if hasattr(model, "view_"):
        content |= {
            "family": model.model_.family.name,
            "view": model.view_,
            "fidelity": float(model.fidelity_),
        }
        return content, arrays | score_arrays(model.model_)
    members: list[Content] = []
    for number, member in enumerate(model.model_.members):
        described, found = _describe_member(member, f"member{number}.")
        members.append(described)
        arrays |= found
    return content | {"members": members}, arrays


def restore_smooth(model: SmoothRanking, content: Content, arrays: Arrays) -> None:
    """Set the fitted attributes of a `SmoothRanking`."""
    model.cv_results_ = {name: tuple(found) for name, found in content["cv_results"].items()}
    model.typical_row_ = arrays["typical_row"]
    model.gap_, model.kkt_residual_ = content["gap"], kkt_residual(content)
    if "view" not in content:
        model.model_ = _rebuild_average(
            content["members"], arrays, Certificate(model.gap_, model.kkt_residual_)
        )
        model.n_columns_ = model.model_.n_columns
        return
    model.model_ = rebuild_score(content["family"], content["view"], arrays)
    model.view_, model.fidelity_ = content["view"], content["fidelity"]
    model.weights_ = model.model_.weights
    model.columns_ = model.model_.in_data_units()
    model.n_columns_ = len(model.weights_)


def _describe_member(member: Member, prefix: str) -> tuple[Content, Arrays]:
    from smoothrank.columns.weighted import WeightedColumns
    from smoothrank.distillation.trees import TreesScore

    content: Content = {"spread": member.place.spread, "share": member.share}
    place = {prefix + "knots": member.place.knots, prefix + "places": member.place.places}
    function = member.function
    if isinstance(function, TreesScore):
        return content | {"family": _TREES}, place | _trees_arrays(function, prefix)
    if not isinstance(function, WeightedColumns):
        raise TypeError(f"a {type(function).__name__} in an average")
    view = {"family": function.family.name, "view": _view_of(function)}
    return content | view, place | score_arrays(function, prefix)


def _trees_arrays(trees: TreesScore, prefix: str) -> Arrays:
    scaler = {f"{prefix}scaler.{key}": it for key, it in trees.scaler.arrays().items()}
    return {prefix + _TREES: estimator_bytes(trees.estimator), **scaler}


def _rebuild_trees(arrays: Arrays, prefix: str) -> TreesScore:
    """Return trees; those of schema 5 see the features as they are."""
    from smoothrank.columns.feature_scaling import StandardScaler
    from smoothrank.distillation.trees import TreesScore

    estimator = estimator_from(arrays[prefix + _TREES])
    n_features = estimator.n_features_in_
    mean = arrays.get(prefix + "scaler.mean", np.zeros(n_features))
    spread = arrays.get(prefix + "scaler.spread", np.ones(n_features))
    return TreesScore(estimator, StandardScaler(mean, spread))


def _view_of(function: WeightedColumns) -> str:
    from smoothrank.columns.feature_scaling import scaler_name

    if function.scaler is None:
        raise TypeError("a member of an average without a scaling")
    return scaler_name(function.scaler)


def _rebuild_average(members: list[Content], arrays: Arrays, certificate: Certificate) -> Average:
    from smoothrank.distillation.average import Average, Member
    from smoothrank.distillation.placement import Placement

    found = []
    for number, content in enumerate(members):
        prefix = f"member{number}."
        function: Any
        if content["family"] == _TREES:
            function = _rebuild_trees(arrays, prefix)
        else:
            function = rebuild_score(content["family"], content["view"], arrays, prefix)
        place = Placement(arrays[prefix + "knots"], arrays[prefix + "places"], content["spread"])
        found.append(Member(function, place, content["share"]))
    if not found:
        raise ModelFileError("its average has no members.")
    return Average(tuple(found), certificate)
