"""What a saved model holds: every fitted model as plain values and arrays, and back again."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from smoothrank.persistence.certificate_content import certificate_of, kkt_residual
from smoothrank.persistence.encoder_content import ModelFileError, describe_encoder, rebuild_encoder
from smoothrank.persistence.score_content import rebuild_score, score_arrays

if TYPE_CHECKING:
    from smoothrank.columns.weighted import WeightedColumns
    from smoothrank.estimators.cited.rank_boost import RankBoost
    from smoothrank.estimators.cited.rank_net import RankNet
    from smoothrank.estimators.foreign import ForeignRanking
    from smoothrank.estimators.norm_ranking import BaseNormRanking
    from smoothrank.estimators.prototype_base import BasePrototypeClassifier
    from smoothrank.estimators.ranking_classifier import RankingClassifier
    from smoothrank.tables.tabular_model import TabularModel

Content = dict[str, Any]
Arrays = dict[str, npt.NDArray[Any]]

_SCORE_PREFIX = "score."
_OF_THE_FIT = ("seconds", "kkt")


def describe(model: RankingClassifier | TabularModel) -> tuple[Content, Arrays]:
    """Return everything needed to rebuild a fitted model."""
    from sklearn.utils.validation import check_is_fitted

    from smoothrank.tables.tabular_model import TabularModel

    if not isinstance(model, TabularModel):
        check_is_fitted(model)
        return _describe_classifier(model)
    check_is_fitted(model.encoder)
    content, arrays = describe(model.classifier)
    table = {
        "target": model.target,
        "negative": model.negative,
        "positive": model.positive,
        **({} if model.profile is None else {"profile": model.profile.to_dict()}),
        "threshold": float(model.threshold),
        "style": asdict(model.style),
        "encoder": describe_encoder(model.encoder),
    }
    return content | {"table": table}, arrays


def rebuild(content: Content, arrays: Arrays) -> RankingClassifier | TabularModel:
    """Rebuild the model from its description."""
    from smoothrank.datasets.options import TableStyle
    from smoothrank.tables.profile import Profile
    from smoothrank.tables.tabular_model import TabularModel

    classifier = _rebuild_classifier(content, arrays)
    if "table" not in content:
        return classifier
    table = dict(content["table"])
    if "style" in table:
        table["style"] = TableStyle(**table["style"])
    if "profile" in table:
        table["profile"] = Profile.from_dict(table["profile"])
    return TabularModel(rebuild_encoder(table.pop("encoder")), classifier, **table)


def _estimators() -> dict[str, type[RankingClassifier]]:
    from smoothrank.estimators.dictionary_ranking import DictionaryRanking
    from smoothrank.estimators.kernel_ranking import KernelRanking
    from smoothrank.estimators.norm_ranking import L1Ranking, LInfRanking, RankingSVM
    from smoothrank.estimators.prototypes import RankingCGPrototype, SmoothRankingPrototype
    from smoothrank.estimators.smooth_ranking import SmoothRanking

    known = (
        *(SmoothRanking, KernelRanking, SmoothRankingPrototype, RankingCGPrototype),
        *(DictionaryRanking, L1Ranking, LInfRanking, RankingSVM),
    )
    return {estimator.__name__: estimator for estimator in known}


def _estimators_of_arrays() -> dict[str, type[RankBoost | RankNet]]:
    """Return the estimators whose score is a dataclass of arrays and nothing else."""
    from smoothrank.estimators.cited.rank_boost import RankBoost
    from smoothrank.estimators.cited.rank_net import RankNet

    return {"RankBoost": RankBoost, "RankNet": RankNet}


def _describe_classifier(model: RankingClassifier) -> tuple[Content, Arrays]:
    from smoothrank.estimators.dictionary_ranking import DictionaryRanking
    from smoothrank.estimators.foreign import ForeignRanking
    from smoothrank.estimators.kernel_ranking import KernelRanking
    from smoothrank.estimators.prototype_base import BasePrototypeClassifier
    from smoothrank.estimators.score import score_of
    from smoothrank.estimators.smooth_ranking import SmoothRanking
    from smoothrank.persistence.dictionary_content import describe_dictionary
    from smoothrank.persistence.smooth_content import describe_kernel, describe_smooth

    if isinstance(model, ForeignRanking):
        return _describe_foreign(model)
    name = type(model).__name__
    if _estimators_of_arrays().get(name) is type(model):
        return _describe_arrays(model)
    if _estimators().get(name) is not type(model):
        known = (*_estimators(), *_estimators_of_arrays())
        raise ModelFileError(
            f"A {name} cannot be saved here; only {', '.join(known)} can. Save it by its own means."
        )
    content, arrays = _describe_decision(model)
    if isinstance(model, DictionaryRanking):
        more, more_arrays = describe_dictionary(model)
        return content | more, arrays | more_arrays
    if isinstance(model, SmoothRanking | KernelRanking):
        own = describe_smooth if isinstance(model, SmoothRanking) else describe_kernel
        more, more_arrays = own(model)
        return content | more, arrays | more_arrays
    score = score_of(model)
    content |= {
        "history": [_of_the_model(asdict(step)) for step in model.history_],
        "family": score.family.name,
    }
    arrays |= score_arrays(score)
    if isinstance(model, BasePrototypeClassifier):
        arrays["prototypes"] = model.prototypes_
        arrays["weights_path"] = np.concatenate(model.weights_path_)
        return content | certificate_of(model) | {"solver": model.solver_}, arrays
    arrays |= {"reference_rows": model.reference_rows_, "row_weights": model.weights_}
    content |= {"objective": float(model.objective_), "gap": float(model.gap_)}
    return content | certificate_of(model), arrays


def _of_the_model(record: Content) -> Content:
    """Return the record of an iteration without what is about the run of the solver alone."""
    return {key: value for key, value in record.items() if not key.startswith(_OF_THE_FIT)}


def _describe_decision(model: RankingClassifier) -> tuple[Content, Arrays]:
    """Describe what all classifiers have: parameters, labels, features, threshold, calibration."""
    parameters = {
        key: value
        for key, value in model.get_params(deep=False).items()
        if key not in ("callback", "estimator")
    }
    content = {
        "estimator": type(model).__name__,
        "parameters": {key: _plain(value) for key, value in parameters.items()},
        "labels_are_objects": bool(model.classes_.dtype == object),
        "n_features": int(model.n_features_in_),
        "intercept": float(model.intercept_),
        "calibration": list(model.calibration_),
    }
    arrays: Arrays = {"classes": _plain_labels(model.classes_)}
    if hasattr(model, "feature_names_in_"):
        arrays["feature_names"] = model.feature_names_in_.astype(str)
    return content, arrays


def _describe_foreign(model: ForeignRanking) -> tuple[Content, Arrays]:
    from smoothrank.persistence.foreign_content import estimator_bytes

    content, arrays = _describe_decision(model)
    return content, arrays | {"estimator": estimator_bytes(model.estimator_)}


def _describe_arrays(model: RankingClassifier) -> tuple[Content, Arrays]:
    content, arrays = _describe_decision(model)
    score: Any = model.model_
    return content, arrays | {_SCORE_PREFIX + f.name: getattr(score, f.name) for f in fields(score)}


def _plain_labels(classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if classes.dtype != object:
        return classes
    plain = np.array(classes.tolist())
    if plain.dtype == object or plain.tolist() != classes.tolist():
        raise ModelFileError(
            f"Labels {classes.tolist()} cannot be saved; use numbers, booleans or strings."
        )
    return plain


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _rebuild_classifier(content: Content, arrays: Arrays) -> RankingClassifier:
    from smoothrank.estimators.dictionary_ranking import DictionaryRanking
    from smoothrank.estimators.kernel_ranking import KernelRanking
    from smoothrank.estimators.norm_ranking import BaseNormRanking
    from smoothrank.estimators.prototype_base import BasePrototypeClassifier
    from smoothrank.estimators.smooth_ranking import SmoothRanking
    from smoothrank.persistence.dictionary_content import restore_dictionary
    from smoothrank.persistence.smooth_content import restore_kernel, restore_smooth

    if content["estimator"] == "ForeignRanking":
        return _with_decision(_rebuild_foreign(arrays), content, arrays)
    if content["estimator"] in _estimators_of_arrays():
        return _with_decision(_rebuild_from_arrays(content, arrays), content, arrays)
    model = _estimators()[content["estimator"]](**content["parameters"])
    if isinstance(model, SmoothRanking):
        restore_smooth(model, content, arrays)
        return _with_decision(model, content, arrays)
    if isinstance(model, DictionaryRanking):
        restore_dictionary(model, content, arrays)
        return _with_decision(model, content, arrays)
    score = rebuild_score(content.get("family", "distance"), model.scale, arrays)
    if isinstance(model, KernelRanking):
        restore_kernel(model, score, content)
    elif isinstance(model, BasePrototypeClassifier):
        _restore_prototypes(model, score, content, arrays)
    elif isinstance(model, BaseNormRanking):
        _restore_norm(model, score, content, arrays)
    return _with_decision(model, content, arrays)


def _rebuild_foreign(arrays: Arrays) -> ForeignRanking:
    from smoothrank.estimators.foreign import EstimatorScore, ForeignRanking
    from smoothrank.persistence.foreign_content import estimator_from

    estimator = estimator_from(arrays["estimator"])
    model = ForeignRanking(estimator)
    model.estimator_ = estimator
    model.model_ = EstimatorScore(estimator)
    return model


def _rebuild_from_arrays(content: Content, arrays: Arrays) -> RankingClassifier:
    model: Any = _estimators_of_arrays()[content["estimator"]](**content["parameters"])
    found = {
        key.removeprefix(_SCORE_PREFIX): value
        for key, value in arrays.items()
        if key.startswith(_SCORE_PREFIX)
    }
    model.model_ = model.score_type(**found)
    return cast("RankingClassifier", model)


def _with_decision(model: RankingClassifier, content: Content, arrays: Arrays) -> RankingClassifier:
    labels = arrays["classes"]
    model.classes_ = labels.astype(object) if content["labels_are_objects"] else labels
    model.n_features_in_ = content["n_features"]
    if "feature_names" in arrays:
        model.feature_names_in_ = arrays["feature_names"].astype(object)
    model.intercept_ = content["intercept"]
    model.calibration_ = tuple(content["calibration"])
    return model


def _restore_prototypes(
    model: BasePrototypeClassifier, score: WeightedColumns, content: Content, arrays: Arrays
) -> None:
    from smoothrank.solvers.column_generation import Iteration

    model.model_ = score
    model.prototypes_ = arrays["prototypes"]
    model.weights_ = arrays["weights"]
    model.history_ = [Iteration(**record) for record in content["history"]]
    ends = np.cumsum([iteration.n_prototypes for iteration in model.history_], dtype=np.int64)
    if ends.max(initial=0) != len(arrays["weights_path"]):
        raise ModelFileError("its history is of other weights than it has.")
    model.weights_path_ = np.split(arrays["weights_path"], ends[:-1])
    model.solver_ = content["solver"]
    model.kkt_residual_ = kkt_residual(content)


def _restore_norm(
    model: BaseNormRanking, score: WeightedColumns, content: Content, arrays: Arrays
) -> None:
    from smoothrank.estimators.ranking_classifier import n_used
    from smoothrank.solvers.norms.ranking_problem import RoundRecord

    model.model_ = score
    model.reference_rows_ = arrays["reference_rows"]
    model.weights_ = arrays["row_weights"]
    model.n_features_used_ = n_used(model.weights_)
    model.objective_ = content["objective"]
    model.gap_ = content["gap"]
    model.kkt_residual_ = kkt_residual(content)
    model.history_ = [RoundRecord(**record) for record in content["history"]]
