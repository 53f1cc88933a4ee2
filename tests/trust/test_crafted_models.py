"""Crafted model folders: a named error in a line, quickly, and never a score that is none."""

from __future__ import annotations

import resource
import time

import numpy as np
import pandas as pd
import pytest

from smoothrank.errors import SmoothrankError
from smoothrank.persistence.model_file import ModelFileError, load_tabular_model
from tasks.steps.predict import score_file
from tests.support.trust.crafted_models import crafted_models, write_folder
from tests.support.trust.saved_models import saved_models
from tests.support.trust.scoring import buyers, write_rows

LEAST = 61
SECONDS_EACH = 20.0
MB = 1024


@pytest.fixture(scope="module")
def bases(tmp_path_factory):
    return saved_models(tmp_path_factory.mktemp("bases"))


def test_the_models_that_are_changed_can_be_used(bases):
    rows = buyers().drop(columns="buys")
    for folder in bases.values():
        assert np.isfinite(load_tabular_model(folder).decision_function(rows)).all()


def test_every_crafted_model_is_a_named_error(bases, tmp_path):
    rows = write_rows(tmp_path, buyers().to_csv(index=False))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count, unlike = 0, {}
    for name, folder in crafted_models(bases, tmp_path):
        count += 1
        start = time.process_time()
        said = outcome(folder, rows)
        if said or time.process_time() - start > SECONDS_EACH:
            unlike[name] = said or "slow"
    assert unlike == {}
    assert count >= LEAST
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * MB
    print(f"{count} crafted models")


def outcome(folder, rows) -> str | None:
    """Load a model and score rows; None if that is refused in a few words."""
    out = rows.with_name("out.csv")
    try:
        score_file(load_tabular_model(folder), rows, out)
    except SmoothrankError as error:
        words = str(error)
        ok = isinstance(error, ModelFileError) or "fit it again" in words
        short = len(words.splitlines()) <= 2 and len(words) < 600
        return None if ok and short and not out.exists() else f"says {error!r}"
    except Exception as error:
        return f"ends in {error!r}"
    scores = pd.read_csv(out)[["score", "probability"]]
    out.unlink()
    return f"scores, {int(scores.isna().sum().sum())} of them empty"


def test_a_link_to_a_model_is_followed(bases, tmp_path):
    (tmp_path / "link").symlink_to(bases["small"])
    assert load_tabular_model(tmp_path / "link").positive == "yes"


def test_the_generator_itself_writes_models_that_load(bases, tmp_path):
    from tests.support.trust.archives import npz
    from tests.support.trust.crafted_models import parts

    for kind, base in bases.items():
        content, arrays = parts(base)
        folder = write_folder(tmp_path / kind, content, npz(arrays))
        assert load_tabular_model(folder).negative == "no"
