"""The summary: ranks, tests and means on the splits that all methods have."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.text import Text
from scipy import stats

from benchmarks.peers.comparison import compare
from benchmarks.peers.page import page
from benchmarks.peers.picture import curve, draw, points
from benchmarks.peers.results import Line, appending
from benchmarks.peers.summary import write
from smoothrank.errors import SmoothrankError

AUC = {
    "svm": [0.90, 0.80, 0.70, 0.60, 0.95, 0.85],
    "random-forest": [0.91, 0.83, 0.75, 0.68, 0.94, 0.91],
    "smoothrank-best": [0.93, 0.86, 0.74, 0.75, 0.975, 0.97],
    "smoothrank-2": [0.80, 0.70, 0.60, 0.50, 0.85, 0.85],
}
SIZES = {"svm": 100, "random-forest": 5000, "smoothrank-best": 40, "smoothrank-2": 2}


def results(auc=AUC, sizes=SIZES):
    """Return two splits of each data set, whose mean is the AUC of the table."""
    return [
        Line(f"d{number}", seed, name, value + shift, None, None, sizes[name] + number, 2.0 + seed)
        for name, values in auc.items()
        for number, value in enumerate(values)
        for seed, shift in ((10, 0.01), (0, -0.01))
    ]


@pytest.fixture
def comparison():
    return compare(results())


def test_auc_is_the_mean_over_the_splits_of_a_data_set(comparison):
    for name, values in AUC.items():
        assert comparison.auc[name].tolist() == pytest.approx(values)
    assert comparison.n_splits == 12


def test_ranks_are_averaged_over_data_sets(comparison):
    ranks = comparison.summary()["average rank"]
    assert ranks["smoothrank-best"] == pytest.approx((1 + 1 + 2 + 1 + 1 + 1) / 6, abs=0.005)
    assert ranks["random-forest"] == pytest.approx((2 + 2 + 1 + 2 + 3 + 2) / 6, abs=0.005)
    assert ranks["svm"] == pytest.approx((3 + 3 + 3 + 3 + 2 + 3.5) / 6, abs=0.005)
    assert list(ranks.index) == ["smoothrank-best", "random-forest", "svm", "smoothrank-2"]


def test_the_chosen_method_is_tested_against_every_other(comparison):
    tests = comparison.tests()
    assert comparison.chosen == "smoothrank-best"
    assert sorted(tests.index) == ["random-forest", "smoothrank-2", "svm"]
    assert list(tests.loc["random-forest", ["wins", "ties", "losses"]]) == [5, 0, 1]
    for name in tests.index:
        shown = stats.wilcoxon(AUC["smoothrank-best"], AUC[name], method="exact").pvalue
        assert tests.loc[name, "p"] == pytest.approx(shown)
    assert tests.loc["random-forest", "p"] == pytest.approx(4 / 2**6)


def test_ties_are_counted():
    tests = compare(results(), "svm").tests()
    assert list(tests.loc["smoothrank-2", ["wins", "ties", "losses"]]) == [5, 1, 0]


def test_p_values_are_corrected_by_holm(comparison):
    tests = comparison.tests()
    smallest, *_ = sorted(tests["p"])
    assert tests["p, Holm"].min() == pytest.approx(3 * smallest)
    assert (tests["p, Holm"] >= tests["p"]).all()
    assert (tests["p, Holm"] <= 1.0).all()


def test_sizes_and_seconds(comparison):
    summary = comparison.summary()
    assert summary.loc["svm", "mean size"] == 102.5
    assert summary.loc["svm", "median seconds"] == 7.0
    assert summary.loc["svm", "size counts"] == "support vectors"
    assert pd.isna(summary.loc["smoothrank-best", "p"])


def test_methods_are_compared_on_the_splits_that_all_have():
    lines = results()
    lines = [x for x in lines if (x.dataset, x.seed, x.method) != ("d0", 10, "svm")]
    found = compare(lines)
    assert found.n_incomplete == 1
    assert found.auc.loc["d0", "random-forest"] == pytest.approx(AUC["random-forest"][0] - 0.01)


def test_a_method_with_few_results_is_left_out_and_named():
    lines = [x for x in results() if x.method != "svm" or x.dataset in ("d0", "d1")]
    found = compare(lines)
    assert found.left_out == ("svm",)
    assert (len(found.auc), found.n_incomplete) == (6, 0)
    assert "Left out for want of results: RBF SVM." in page(found)


def test_only_some_methods():
    assert list(compare(results(), methods=["svm", "smoothrank-2"]).auc.columns) == [
        "smoothrank-2",
        "svm",
    ]


def test_a_result_that_comes_twice_counts_once():
    again = Line("d0", 10, "svm", 0.5, None, None, 1, 1.0)
    found = compare([*results(), again])
    assert found.auc.loc["d0", "svm"] == pytest.approx((0.5 + 0.89) / 2)


def test_without_ours_the_best_is_chosen():
    auc = {name: AUC[name] for name in ("svm", "random-forest")}
    assert compare(results(auc)).chosen == "random-forest"


@pytest.mark.parametrize("lines", [[], results()[:2], results({"svm": AUC["svm"]})])
def test_too_little_to_compare_is_said(lines):
    with pytest.raises(SmoothrankError, match="two methods"):
        compare(lines)


def test_a_chosen_method_without_results_is_refused():
    with pytest.raises(SmoothrankError, match="too few results of 'figs'"):
        compare(results(), "figs")


def test_the_curve_has_ours_by_number_of_columns():
    auc = AUC | {"smoothrank-10": AUC["svm"]}
    found = compare(results(auc, SIZES | {"smoothrank-10": 1}))
    assert [point.name for point in curve(points(found))] == ["smoothrank-2", "smoothrank-10"]
    texts = [text.get_text() for text in draw(found).axes[0].texts]
    assert sorted(texts) == ["10", "2", "RBF SVM", "best", "random forest"]


@pytest.mark.parametrize("has_curve", [True, False])
def test_the_caption_speaks_of_a_curve_where_there_is_one(has_curve):
    auc = AUC | ({"smoothrank-10": AUC["svm"]} if has_curve else {})
    assert ("as a curve" in page(compare(results(auc, SIZES | {"smoothrank-10": 1})))) == has_curve


def test_labels_do_not_cover_each_other():
    names = ("svm", "svm-quantile", "l1-logistic", "rank-net", "xgboost", "smoothrank-2")
    aucs = [0.80, 0.801, 0.799, 0.8005, 0.7, 0.9]
    lines = [
        Line(data, 0, name, auc, None, None, 10, 1.0)
        for data in ("one", "two")
        for name, auc in zip(names, aucs, strict=True)
    ]
    figure = draw(compare(lines))
    figure.draw_without_rendering()
    boxes = [Text.get_window_extent(label) for label in figure.axes[0].texts]  # without the lines
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:number])


def test_the_page_needs_no_other_file_and_is_the_same_each_time(comparison, tmp_path):
    table, whole = write(comparison, tmp_path / "one")
    again = write(compare(list(reversed(results()))), tmp_path / "two")
    assert [path.read_bytes() for path in again] == [table.read_bytes(), whole.read_bytes()]
    html = whole.read_text()
    assert re.findall(r'(?:src|href)="(?!#|data:)([^"]*)"', html) == ["summary.csv"]
    assert "prefers-color-scheme: dark" in html
    assert not re.search(r"(fill|stroke): ?#[0-9a-f]{6}", html.split("<svg")[1].split("</svg")[0])
    assert "smoothrank, best: mean AUC 0.8708, 42.5 columns" in html
    assert pd.read_csv(table)["method"].iloc[0] == "smoothrank-best"


def test_the_command_writes_beside_the_results(tmp_path):
    with appending(tmp_path / "results.csv") as file:
        for line in results():
            file.add(line)
    command = [sys.executable, "-m", "benchmarks.peers.summary", "--results", "results.csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["summary.csv", "index.html"]
    assert {path.name for path in Path(tmp_path).iterdir()} == {
        "results.csv",
        "summary.csv",
        "index.html",
    }
