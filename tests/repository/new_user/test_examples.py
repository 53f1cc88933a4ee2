"""The examples in docstrings run, and print what they say."""

import doctest
import importlib

import pytest

from tests.support.checkout.repository import ROOT

FILES = sorted(
    path.relative_to(ROOT)
    for package in ("smoothrank", "tasks", "flows")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text()
)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_examples_print_what_they_say(path):
    module = importlib.import_module(".".join(path.with_suffix("").parts))
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS, report=False)
    assert found.attempted > 0
    assert found.failed == 0, "see the captured output"


def test_the_estimators_have_examples():
    named = {path.as_posix() for path in FILES}
    assert {
        "smoothrank/estimators/norm_ranking.py",
        "smoothrank/estimators/prototypes.py",
        "smoothrank/evaluation/delong.py",
        "smoothrank/losses/pairwise_hinge.py",
        "smoothrank/selection/experiment.py",
    } <= named
