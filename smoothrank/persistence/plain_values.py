"""The plain values of a saved model: of the expected types, finite, and within bounds."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, TypeGuard

from smoothrank.persistence.encoder_content import ModelFileError

Content = dict[str, Any]

MOST_FEATURES = 10_000_000
_LARGEST_WHOLE = 2**63


def check_content(content: Content) -> None:
    """Refuse a description whose values are of other types than `save_model` writes.

    Raises
    ------
    ModelFileError
        If a key is missing, or has a value of another type or out of bounds; it is named.
    """
    _check_numbers(content, "model.json")
    text(content, "estimator")
    text(content, "arrays_sha256")
    flag(content, "labels_are_objects")
    number(content, "intercept")
    mapping(content, "parameters")
    n_features = content.get("n_features")
    if not _is_whole(n_features) or not 0 < n_features <= MOST_FEATURES:
        raise wrong("n_features", f"a number of features up to {MOST_FEATURES:,}", n_features)
    calibration = content.get("calibration")
    if (
        not isinstance(calibration, list)
        or len(calibration) != 2
        or not all(map(_is_number, calibration))
    ):
        raise wrong("calibration", "two numbers", calibration)
    if calibration[0] <= 0:
        raise wrong("calibration", "a slope above zero", calibration)
    if "table" in content:
        _check_table(mapping(content, "table"))


def _check_table(table: Content) -> None:
    names = [text(table, key) for key in ("negative", "positive", "target")]
    if names[0] == names[1]:
        raise wrong("positive", "another label than negative", names[1])
    mapping(table, "encoder")
    if "threshold" in table and not 0.0 <= number(table, "threshold") <= 1.0:
        raise wrong("threshold", "a probability", table["threshold"])
    if "style" in table:
        style = mapping(table, "style")
        choice(style, "decimal", (None, ".", ","))
        choice(style, "day_first", (None, True, False))
    if "profile" in table:
        _check_profile(mapping(table, "profile"))


def _check_profile(profile: Content) -> None:
    if not _is_whole(profile.get("rows")):
        raise wrong("rows", "a number of rows", profile.get("rows"))
    for column in mappings(profile, "columns"):
        text(column, "name")
        levels, counts = texts(column, "levels"), column.get("counts")
        edges = column.get("edges")
        if edges is not None and not (isinstance(edges, list) and all(map(_is_number, edges))):
            raise wrong("edges", "numbers", edges)
        n_bins = (len(levels) if edges is None else len(edges)) + 2
        if not isinstance(counts, list) or len(counts) != n_bins or not all(map(_is_whole, counts)):
            raise wrong("counts", f"{n_bins} whole numbers", counts)


def text(content: Content, key: str) -> str:
    """Return the text of a key, or raise."""
    value = content.get(key)
    if not isinstance(value, str):
        raise wrong(key, "a text", value)
    return value


def flag(content: Content, key: str) -> bool:
    """Return the truth value of a key, or raise."""
    value = content.get(key)
    if not isinstance(value, bool):
        raise wrong(key, "true or false", value)
    return value


def number(content: Content, key: str) -> float:
    """Return the number of a key, or raise."""
    value = content.get(key)
    if not _is_number(value):
        raise wrong(key, "a number", value)
    return float(value)


def mapping(content: Content, key: str) -> Content:
    """Return the object of a key, or raise."""
    value = content.get(key)
    if not isinstance(value, dict):
        raise wrong(key, "an object", value)
    return value


def mappings(content: Content, key: str) -> list[Content]:
    """Return the list of objects of a key, or raise."""
    value = content.get(key)
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise wrong(key, "a list of objects", value)
    return value


def texts(content: Content, key: str) -> list[str]:
    """Return the list of texts of a key, all different, or raise."""
    value = content.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise wrong(key, "a list of texts", value)
    if len(set(value)) < len(value):
        raise wrong(key, "different texts", value)
    return value


def choice(content: Content, key: str, known: Collection[Any]) -> Any:
    """Return the value of a key that is one of some, or raise."""
    value = content.get(key)
    if not any(value is one or (isinstance(value, str) and value == one) for one in known):
        raise wrong(key, f"one of {', '.join(map(repr, known))}", value)
    return value


def wrong(key: str, expected: str, value: Any) -> ModelFileError:
    """Return the error that a key has another value than expected."""
    shown = repr(value)
    shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
    return ModelFileError(f"its {key!r} is {shown}, and not {expected}.")


def _is_number(value: Any) -> TypeGuard[float]:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and math.isfinite(value)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_numbers(value: Any, key: str) -> None:
    """Refuse numbers that are not finite, or whole ones of more than 64 bits, at any depth."""
    if isinstance(value, dict):
        for name, part in value.items():
            _check_numbers(part, name)
    elif isinstance(value, list):
        for part in value:
            _check_numbers(part, key)
    elif isinstance(value, float) and not math.isfinite(value):
        raise wrong(key, "a finite number", value)
    elif isinstance(value, int) and abs(value) >= _LARGEST_WHOLE:
        raise ModelFileError(f"its {key!r} has a whole number of more than 64 bits.")
