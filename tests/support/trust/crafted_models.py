"""Folders that look like saved models and are not: their checksums hold, their contents do not."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.trust.archives import (
    as_bytes,
    bomb,
    foreign,
    huge_array,
    npz,
    objects_array,
    with_huge_arrays,
    with_schema,
    zipped,
)
from tests.support.trust.saved_models import KINDS

Content = dict[str, Any]
Arrays = dict[str, Any]
Craft = Callable[[Content, Arrays], None]


def key(*path: str | int, to: Any = None, gone: bool = False) -> Craft:
    """Give the place of a path in `model.json` another value, or remove it."""

    def change(content: Content, arrays: Arrays) -> None:
        del arrays
        place: Any = content
        for part in path[:-1]:
            place = place[part]
        if gone:
            del place[path[-1]]
        else:
            place[path[-1]] = to

    return change


def array(name: str, make: Callable[[Any], Any] | None) -> Craft:
    """Replace an array, or remove it."""

    def change(content: Content, arrays: Arrays) -> None:
        del content
        if make is None:
            del arrays[name]
        else:
            arrays[name] = make(arrays[name])

    return change


NAN, INF, HUGE = float("nan"), float("inf"), 10**400
COLUMN = ("table", "encoder", "table_columns", 0)
CITY = ("table", "encoder", "table_columns", 1)

EVERY_KIND: dict[str, Craft] = {
    "estimator_unknown": key("estimator", to="os.system"),
    "estimator_list": key("estimator", to=["SmoothRanking"]),
    "estimator_gone": key("estimator", gone=True),
    "parameters_list": key("parameters", to=[1, 2]),
    "n_features_text": key("n_features", to="four"),
    "n_features_huge": key("n_features", to=10**12),
    "n_features_negative": key("n_features", to=-1),
    "n_features_other": key("n_features", to=7),
    "intercept_nan": key("intercept", to=NAN),
    "intercept_text": key("intercept", to="0"),
    "intercept_beyond": key("intercept", to=HUGE),
    "calibration_inf": key("calibration", to=[INF, 0.0]),
    "calibration_one": key("calibration", to=[1.0]),
    "calibration_falls": key("calibration", to=[-1.0, 0.0]),
    "labels_flag_text": key("labels_are_objects", to="yes"),
    "checksum_gone": key("arrays_sha256", gone=True),
    "table_text": key("table", to="here"),
    "target_number": key("table", "target", to=5),
    "one_label_twice": key("table", "negative", to="yes"),
    "threshold_above": key("table", "threshold", to=17.0),
    "threshold_text": key("table", "threshold", to="half"),
    "table_extra": key("table", "surprise", to=1),
    "style_unknown": key("table", "style", to={"decimal": "x", "day_first": None}),
    "encoder_empty": key("table", "encoder", to={}),
    "columns_text": key("table", "encoder", "table_columns", to="all"),
    "columns_none": key("table", "encoder", "table_columns", to=[]),
    "column_name_list": key(*COLUMN, "name", to=["age"]),
    "column_name_twice": key(*COLUMN, "name", to="city"),
    "column_kind_unknown": key(*COLUMN, "kind", to="soup"),
    "column_fill_text": key(*COLUMN, "fill", to="much"),
    "column_fill_nan": key(*COLUMN, "fill", to=NAN),
    "column_date_beyond": key(*COLUMN, to={"name": "age", "kind": "date", "fill": 1e30,
                                           "parts": ["month"], "levels": None}),
    "column_parts_unknown": key(*COLUMN, "parts", to=["century"]),
    "levels_numbers": key(*CITY, "levels", to=[1, 2]),
    "levels_none": key(*CITY, "levels", to=None),
    "levels_empty": key(*CITY, "levels", to=[]),
    "level_fill_unknown": key(*CITY, "fill", to="Atlantis"),
    "options_extra": key("table", "encoder", "options", to={"run": "this"}),
    "classes_one": array("classes", lambda _: np.array([1])),
    "classes_same": array("classes", lambda _: np.array([1, 1])),
    "classes_gone": array("classes", None),
    "classes_cube": array("classes", lambda _: np.zeros((2, 2, 2))),
}  # fmt: skip

SCORES: dict[str, Craft] = {
    "weights_nan": array("weights", lambda a: a * NAN),
    "weights_inf": array("weights", lambda a: a + INF),
    "weights_long": array("weights", lambda a: np.append(a, 1.0)),
    "weights_text": array("weights", lambda a: a.astype(str)),
    "weights_matrix": array("weights", lambda a: np.outer(a, a)),
    "weights_gone": array("weights", None),
    "spreads_zero": array("spreads", np.zeros_like),
    "points_narrow": array("scaled_prototypes", lambda a: a[:, :1]),
    "points_flat": array("scaled_prototypes", lambda a: a.ravel()),
    "points_inf": array("scaled_prototypes", lambda a: a + INF),
    "scaler_short": array("scaler.mean", lambda a: a[:1]),
    "scaler_zero": array("scaler.spread", np.zeros_like),
    "family_unknown": key("family", to="__import__"),
    "family_list": key("family", to=["gaussian"]),
}

OF_KIND: dict[str, dict[str, Craft]] = {
    "prototypes": SCORES | {
        "history_text": key("history", to="long"),
        "history_extra": key("history", to=[{"x": 1}]),
        "prototypes_narrow": array("prototypes", lambda a: a[:, :1]),
        "scale_unknown": key("parameters", "scale", to="golden"),
        "parameter_unknown": key("parameters", "shell", to="rm"),
        "path_short": key("history", to=[]),
    },
    "small": SCORES | {
        "view_list": key("view", to=[]),
        "view_gone": key("view", gone=True),
        "results_text": key("cv_results", to="good"),
        "typical_short": array("typical_row", lambda a: a[:1]),
        "typical_text": array("typical_row", lambda a: a.astype(str)),
        "profile_counts": key("table", "profile", "columns", 0, "counts", to=[1]),
        "profile_text": key("table", "profile", to="flat"),
        "profile_edges": key("table", "profile", "columns", 0, "edges", to=["a"]),
    },
    "average": {
        "members_text": key("members", to="all"),
        "members_none": key("members", to=[]),
        "members_more": key("members", to=[{"family": "trees", "share": 1, "spread": 1}] * 99),
        "share_nan": key("members", 0, "share", to=NAN),
        "share_text": key("members", 0, "share", to="half"),
        "spread_zero": key("members", 0, "spread", to=0),
        "knots_short": array("member0.knots", lambda a: a[:1]),
        "knots_empty": array("member0.knots", lambda a: a[:0]),
        "places_nan": array("member0.places", lambda a: a * NAN),
        "trees_gone": array("member1.trees", None),
        "trees_noise": array("member1.trees", lambda a: a[::-1].copy()),
        "trees_cut": array("member1.trees", lambda a: a[: len(a) // 2]),
        "trees_numbers": array("member1.trees", lambda a: a.astype(float)),
        "trees_bomb": array("member1.trees", lambda a: as_bytes(bomb("schema.json"))),
        "trees_program": array("member1.trees", lambda a: with_schema(a, foreign("os", "system"))),
        "trees_other": array("member1.trees", lambda a: with_schema(a, foreign("smoothrank", "x"))),
        "trees_deep": array("member1.trees", lambda a: with_schema(a, b"[" * 100_000)),
        "trees_no_schema": array("member1.trees", lambda a: as_bytes(zipped({"a.txt": b""}))),
    },
    "foreign": {
        "estimator_noise": array("estimator", lambda a: a[::-1].copy()),
        "estimator_empty": array("estimator", lambda a: a[:0]),
        "estimator_gone_too": array("estimator", None),
        "estimator_bomb": array("estimator", lambda a: as_bytes(bomb("schema.json"))),
        "estimator_program": array(
            "estimator", lambda a: with_schema(a, foreign("builtins", "eval"))
        ),
        "estimator_runs": array(
            "estimator", lambda a: with_schema(a, foreign("numpy.testing", "runstring"))
        ),
        "estimator_array": array("estimator", with_huge_arrays),
        "estimator_text": array("estimator", lambda a: np.array(["x"])),
    },
}  # fmt: skip


def _json(content: Content) -> bytes:
    return (json.dumps(content, sort_keys=True, indent=1) + "\n").encode()


def write_folder(folder: Path, content: Content, raw: bytes) -> Path:
    """Write both files with checksums that hold."""
    folder.mkdir(parents=True)
    content.pop("sha256", None)
    if "arrays_sha256" in content:
        content["arrays_sha256"] = hashlib.sha256(raw).hexdigest()
    digest = hashlib.sha256(_json(content)).hexdigest()
    (folder / "model.json").write_bytes(_json(content | {"sha256": digest}))
    (folder / "arrays.npz").write_bytes(raw)
    return folder


def parts(base: Path) -> tuple[Content, Arrays]:
    """Return what a saved model holds."""
    content = json.loads((base / "model.json").read_bytes())
    with np.load(base / "arrays.npz") as file:
        return content, {name: file[name] for name in file.files}


def crafted_models(bases: dict[str, Path], folder: Path) -> Iterator[tuple[str, Path]]:
    """Write all crafted models, one after the other."""
    for kind in KINDS:
        for name, craft in (EVERY_KIND | OF_KIND[kind]).items():
            content, arrays = parts(bases[kind])
            craft(content, arrays)
            yield f"{kind}-{name}", write_folder(folder / kind / name, content, npz(arrays))
    for name, make in ARCHIVES.items():
        content, arrays = parts(bases["small"])
        yield f"archive-{name}", write_folder(folder / "archive" / name, content, make(arrays))
    for name, change in FILES.items():
        place = folder / "files" / name
        shutil.copytree(bases["small"], place)
        change(place)
        yield f"files-{name}", place


ARCHIVES: dict[str, Callable[[Arrays], bytes]] = {
    "bomb": lambda _: bomb("weights.npy"),
    "empty": lambda _: b"",
    "noise": lambda _: bytes(range(256)) * 9,
    "no_arrays": lambda _: zipped({}),
    "cut": lambda arrays: npz(arrays)[:-30],
    "packed": lambda arrays: zipped({"weights.npy": huge_array((0,)) * 99}, zipfile.ZIP_DEFLATED),
    "trillion": lambda _: zipped({"weights.npy": huge_array()}),
    "negative": lambda _: zipped({"weights.npy": huge_array((-1,))}),
    "objects": lambda _: zipped({"weights.npy": objects_array()}),
    "texts": lambda _: zipped({"weights.npy": b"hello"}),
    "escapes": lambda _: zipped({"../../weights.npy": huge_array((10,))}),
    "header": lambda _: zipped({"weights.npy": b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535}),
    "version": lambda _: zipped({"weights.npy": b"\x93NUMPY\x09\x00" + bytes(80)}),
}


def _text(name: str, text: str | bytes) -> Callable[[Path], None]:
    data = text.encode() if isinstance(text, str) else text
    return lambda folder: void((folder / name).write_bytes(data))


def void(_: object) -> None:
    """Return nothing."""


def _instead(name: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)

    return change


FILES: dict[str, Callable[[Path], None]] = {
    "json_empty": _text("model.json", ""),
    "json_list": _text("model.json", "[]"),
    "json_null": _text("model.json", "null"),
    "json_deep": _text("model.json", "[" * 200_000),
    "json_deep_object": _text("model.json", '{"a":' * 100_000 + "1" + "}" * 100_000),
    "json_twice": _text("model.json", '{"schema": 5, "schema": 5, "sha256": "x"}'),
    "json_long_number": _text("model.json", '{"schema": ' + "9" * 10_000 + "}"),
    "json_bytes": _text("model.json", bytes(range(256))),
    "json_utf_16": _text("model.json", '{"schema": 5}'.encode("utf-16")),
    "schema_of_tomorrow": _text("model.json", '{"schema": 99, "sha256": "x"}'),
    "schema_list": _text("model.json", '{"schema": [5], "sha256": "x"}'),
    "schema_text": _text("model.json", '{"schema": "5", "sha256": "x"}'),
    "sha_number": _text("model.json", '{"schema": 5, "sha256": 5}'),
    "json_nan": _text("model.json", '{"schema": 5, "a": NaN, "sha256": "x"}'),
    "json_pipe": _instead("model.json", os.mkfifo),
    "json_device": _instead("model.json", lambda path: path.symlink_to("/dev/zero")),
    "json_folder": _instead("model.json", Path.mkdir),
    "json_nowhere": _instead("model.json", lambda path: path.symlink_to("/nowhere/at/all")),
    "json_round": _instead("model.json", lambda path: path.symlink_to(path)),
    "arrays_pipe": _instead("arrays.npz", os.mkfifo),
    "arrays_device": _instead("arrays.npz", lambda path: path.symlink_to("/dev/zero")),
    "arrays_gone": _instead("arrays.npz", void),
    "arrays_sparse": _instead("arrays.npz", lambda path: sparse(path, 3 * 1024**3)),
    "json_sparse": _instead("model.json", lambda path: sparse(path, 3 * 1024**3)),
}


def sparse(path: Path, size: int) -> None:
    """Make a file that has a size and no contents."""
    with path.open("wb") as file:
        file.truncate(size)
