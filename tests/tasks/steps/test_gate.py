"""Who becomes champion."""

import math

import pytest

from smoothrank.evaluation.delong import AucComparison
from tasks.project.config import GateParams
from tasks.steps.gate import decide

PARAMS = GateParams(significance=0.05, max_gap=1e-4, max_kkt_residual=1e-5)


def comparison(p):
    return AucComparison(0.8, 0.82, -0.02, 0.01, p)


def decided(**given):
    usual = {"validation_passed": True, "gap": 1e-7, "kkt_residual": 1e-9, "comparison": None}
    return decide(PARAMS, **usual | given)


@pytest.mark.parametrize("p", [0.05, 0.5, 1.0])
def test_no_worse_is_promoted(p):
    decision = decided(comparison=comparison(p))
    assert decision.promoted
    assert "0.8000 against the champion's 0.8200" in decision.reason


@pytest.mark.parametrize("p", [0.049, 0.0])
def test_worse_is_not(p):
    decision = decided(comparison=comparison(p))
    assert not decision.promoted
    assert "worse than the champion" in decision.reason


def test_the_first_version_is_promoted():
    assert decided() == decided(comparison=None)
    assert decided().promoted


@pytest.mark.parametrize("gap", [1.1e-4, math.nan, math.inf])
def test_a_gap_beyond_the_limit_or_unknown_is_not(gap):
    assert not decided(gap=gap, comparison=comparison(1.0)).promoted
    assert "gap" in decided(gap=gap).reason


@pytest.mark.parametrize("residual", [1.1e-5, math.nan, math.inf])
def test_a_kkt_residual_beyond_the_limit_or_unknown_is_not(residual):
    assert not decided(kkt_residual=residual, comparison=comparison(1.0)).promoted
    assert "KKT residual" in decided(kkt_residual=residual).reason


def test_a_kkt_residual_at_the_limit_is_and_so_is_a_classifier_without_one():
    assert decided(kkt_residual=1e-5).promoted
    assert decided(gap=None, kkt_residual=None).promoted


def test_a_gap_at_the_limit_is():
    assert decided(gap=1e-4).promoted


def test_data_that_failed_is_not():
    assert not decided(validation_passed=False).promoted


def test_a_champion_that_cannot_be_scored_stays():
    decision = decided(obstacle="missing columns: 'a'")
    assert not decision.promoted
    assert "missing columns: 'a'" in decision.reason
