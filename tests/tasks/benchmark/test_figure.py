"""Figure 1: the data, the three curves, and what the paper says of them."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from flows.commands.cli import main
from smoothrank.datasets.xor import largest_drop, noisy_xor, total_change, total_drop
from smoothrank.errors import SmoothrankError
from tasks.benchmark.figure import (
    DEFAULT_SETTINGS,
    LABELS,
    compute_figure,
    read_figure,
    write_figure,
)


@pytest.fixture(scope="module")
def figure():
    return compute_figure()


def test_four_clusters_opposite_corners_alike():
    X, y = noisy_xor(4000, 0.1, np.random.default_rng(0))
    assert X.shape == (4000, 2)
    assert sorted(np.unique(y)) == [-1, 1]
    nearest = (X > 0.5).astype(int)
    assert (np.where(nearest[:, 0] == nearest[:, 1], 1, -1) == y).all()
    corners, counts = np.unique(nearest, axis=0, return_counts=True)
    assert len(corners) == 4
    assert counts.tolist() == [1000] * 4
    assert np.std(X - nearest, axis=0) == pytest.approx([0.1, 0.1], abs=0.005)


def test_the_seed_decides_everything():
    first, again, other = (noisy_xor(50, 0.3, np.random.default_rng(seed))[0] for seed in (1, 1, 2))
    assert (first == again).all()
    assert not (first == other).any()


@pytest.mark.parametrize(("rows", "noise"), [(3, 0.1), (10, -0.1), (10, float("nan"))])
def test_impossible_data_is_refused(rows, noise):
    with pytest.raises(SmoothrankError, match="four rows at least"):
        noisy_xor(rows, noise, np.random.default_rng(0))


def test_measures_by_hand():
    assert total_change([0.5, 0.8, 0.7, 0.75]) == pytest.approx(0.45)
    assert total_drop([0.5, 0.8, 0.7, 0.75, 0.74]) == pytest.approx(0.11)
    assert largest_drop([0.5, 0.8, 0.7, 0.75, 0.74]) == pytest.approx(0.1)
    assert (total_drop([0.5]), largest_drop([0.5]), total_drop([0.1, 0.2])) == (0, 0, 0)


def test_smooth_does_not_fluctuate_and_unbounded_does(figure):
    lost = {method: total_drop(figure.test_auc(method)) for method in LABELS}
    assert lost["smooth"] < 0.5 * lost["ranking-cg-unbounded"]
    assert lost["smooth"] < lost["ranking-cg"]
    assert lost["ranking-cg-unbounded"] > 0.05
    worst = {method: largest_drop(figure.test_auc(method)) for method in LABELS}
    assert worst["smooth"] < 0.01
    assert worst["smooth"] < 0.5 * worst["ranking-cg-unbounded"]


def test_unbounded_overfits(figure):
    end = figure.curves.groupby("method").last()
    assert end.loc["ranking-cg-unbounded", "train_auc"] > end.loc["smooth", "train_auc"] + 0.02
    assert end.loc["ranking-cg-unbounded", "test_auc"] < end.loc["smooth", "test_auc"] - 0.02


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_is_not_the_seed(seed):
    data = compute_figure(replace(DEFAULT_SETTINGS, seed=seed, iterations=11))
    lost = {method: total_drop(data.test_auc(method)) for method in LABELS}
    assert lost["smooth"] < lost["ranking-cg-unbounded"]


def test_all_begin_alike_and_have_every_iteration(figure):
    for method in LABELS:
        rows = figure.curves[figure.curves["method"] == method]
        assert rows["iteration"].tolist() == list(range(1, DEFAULT_SETTINGS.iterations + 1))
        assert rows["test_auc"].between(0.4, 1.0).all()
    assert figure.curves.groupby("iteration")["test_auc"].nunique().loc[1] == 1
    assert len(figure.points) == DEFAULT_SETTINGS.rows


def test_the_same_data_give_the_same_bytes(figure, tmp_path):
    first, again = (write_figure(figure, tmp_path / name) for name in ("a", "b"))
    assert [path.name for path in first] == [
        "figure1.svg", "figure1.png", "figure1.csv", "figure1_points.csv",
    ]  # fmt: skip
    for one, other in zip(first, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    assert ElementTree.parse(first[0]).getroot().tag.endswith("svg")  # noqa: S314
    assert first[1].read_bytes().startswith(b"\x89PNG")
    back = read_figure(tmp_path / "a")
    assert back is not None
    pd.testing.assert_frame_equal(back.curves, figure.curves)
    pd.testing.assert_frame_equal(back.points, figure.points, check_dtype=False)
    assert read_figure(tmp_path) is None


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["smoothrank", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    output = capsys.readouterr()
    return stopped.value.code or 0, output.out, output.err


def test_commands(monkeypatch, capsys, tmp_path):
    """`figure` writes what `report` shows."""
    from tests.support.benchmark_file import write_benchmark

    options = ["--iterations", 4, "--output", tmp_path, "--json"]
    code, out, err = run(monkeypatch, capsys, "figure", *options)
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["methods"]["smooth"]["iterations"] == 4
    assert all((tmp_path / name).is_file() for name in ("figure1.svg", "figure1.png"))

    write_benchmark(tmp_path / "benchmark.csv", ["glass0", "iris0"], ("smooth", "l1"))
    options = ["--results", tmp_path / "benchmark.csv", "--output", tmp_path]
    code, out, err = run(monkeypatch, capsys, "report", *options)
    assert (code, err) == (0, "")
    assert out.startswith("4 of 365 results: 2 data sets, 2 methods, 2 data sets with every")
    assert '<svg role="img"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    code, out, err = run(monkeypatch, capsys, "report", *options, "--json")
    assert json.loads(out)["methods"] == ["smooth", "l1"]


def test_report_without_results_is_one_line(monkeypatch, capsys, tmp_path):
    code, out, err = run(monkeypatch, capsys, "report", "--results", tmp_path / "none.csv")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "run `smoothrank benchmark` first" in err
