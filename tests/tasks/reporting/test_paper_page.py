"""The report: the paper's tables, ours, their differences; whole, partial and wrong results."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from smoothrank.errors import SmoothrankError
from smoothrank.plots.style import ON_PAGE, POSITIVE, REPELS, label_axes, new_figure, notes
from tasks.benchmark.figure import FigureOne, write_figure
from tasks.benchmark.paper_tables import PAPER_METHODS, paper_features_used, paper_test_auc
from tasks.benchmark.results import read_results
from tasks.reporting.inline_svg import inline_svg
from tasks.reporting.paper.page import write_report
from tasks.reporting.paper.rank_tests import rank_statistics
from tasks.reporting.paper.tables import Comparison, best, on_front
from tasks.reporting.tables import Cell, Head, table
from tests.support.benchmark_file import METHODS, write_benchmark

SMALL = ["abalone9-18", "glass0", "glass1", "iris0", "zoo-3"]


@pytest.fixture
def results(tmp_path):
    write_benchmark(tmp_path / "benchmark.csv")
    return read_results(tmp_path / "benchmark.csv")


@pytest.fixture
def comparison(results):
    return Comparison(results)


def test_the_papers_detail_gives_its_summary():
    """Tables 1 and 2 follow from C.1 by our definitions; they print no other number."""
    wins = best(paper_test_auc())
    rest = wins[~wins["ranking-cg"]]
    assert (len(wins), len(rest)) == (73, 47)
    for method in PAPER_METHODS:
        assert wins[method.name].sum() == method.printed_best
        assert rest[method.name].sum() == method.printed_best_without_cg


def test_table_one_and_two(comparison):
    one = comparison.table_one().set_index(["measure", "source"])
    printed, paper, ours = (one.iloc[i].astype(int).tolist() for i in range(3))
    assert printed == paper == [25, 26, 30, 24, 24]
    # abalone9-18 was the smooth method's own, and goes to L1 or nobody
    assert ours[0] == 25
    assert one.iloc[3].astype(int).tolist() == [2, 7, 9, 100, 73]
    assert one.iloc[4].tolist() == pytest.approx([1.96, 6.44, 9.14, 99.89, 73.23], abs=0.005)
    assert [source for _, source in one.index][2] == "ours (73 data sets)"
    two = comparison.table_two()
    assert two is not None
    assert two.iloc[0, 2:].astype(int).tolist() == [14, 0, 18, 12, 14]
    assert two.iloc[1, 2:].astype(int).tolist() == [14, 0, 18, 12, 14]


def test_a_lost_win_is_counted(tmp_path):
    frame = write_benchmark(tmp_path / "b.csv", SMALL)
    frame.loc[(frame["dataset"] == "abalone9-18") & (frame["method"] == "smooth"), "test_auc"] = 0.9
    frame.to_csv(tmp_path / "b.csv", index=False)
    one = Comparison(read_results(tmp_path / "b.csv")).table_one()
    paper, ours = one.iloc[1], one.iloc[2]
    assert (
        paper["Smooth Ranking-CG Prototype"],
        ours["Smooth Ranking-CG Prototype"],
    ) == (3, 2)
    assert (paper["L1 Ranking"], ours["L1 Ranking"]) == (2, 3)


def test_differences(comparison):
    c1, c2 = comparison.table_c1(), comparison.table_c2()
    line = c1.loc["abalone9-18"]
    assert line["Smooth, paper"] == 0.96
    assert line["Smooth, ours"] == 0.95
    assert line["Smooth, difference"] == -0.01
    assert (c1.filter(like="difference").drop("abalone9-18") == 0).all().all()
    assert c2.loc["abalone9-18", "Smooth, difference"] == 1
    assert c2.filter(like="difference").to_numpy().sum() == 1
    agreement = comparison.agreement().loc["Smooth Ranking-CG Prototype"]
    assert agreement["AUC as printed"] == 72
    assert agreement["within 0.005"] == 72
    assert agreement["within 0.02"] == 73
    assert agreement["same features"] == 72
    assert agreement["largest in"] == "abalone9-18"


def test_statistics_are_those_of_the_table(comparison):
    paper = rank_statistics(paper_test_auc())
    assert paper is not None
    assert sum(paper.average_ranks.values()) == pytest.approx(15.0)
    assert paper.test.n_datasets == 73
    ours = rank_statistics(comparison.complete(comparison.auc))
    assert ours is not None
    assert ours.average_ranks["smooth"] == pytest.approx(paper.average_ranks["smooth"], abs=0.05)
    assert rank_statistics(paper_test_auc()[["smooth"]]) is None


def test_pareto_front():
    auc, features = pd.Series([0.9, 0.8, 0.95, 0.9]), pd.Series([10, 10, 100, 12])
    assert on_front(auc, features) == [True, False, True, False]
    assert on_front(pd.Series([0.9, 0.9]), pd.Series([5, 5])) == [True, True]


def test_time_adds_up(results, comparison):
    time = comparison.time()
    assert time["total"].sum() == pytest.approx(results.table["seconds"].sum(), abs=0.3)
    slowest = results.table.sort_values("seconds").iloc[-1]
    assert slowest["dataset"] in set(time["slowest in"])


class Outline(HTMLParser):
    """Collect ids, links, headings and unclosed elements of a page."""

    VOID = frozenset({"meta", "link", "input", "br"})

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.open, self.wrong = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[name] for name in ("href", "src") if values.get(name)]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.ids += [dict(attrs)["id"]] if "id" in dict(attrs) else []

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def small_figure():
    points = pd.DataFrame(
        {"x": [0.0, 1.0, 0.1, 0.9], "y": [0.0, 1.0, 0.9, 0.1], "label": [1, 1, -1, -1]}
    )
    curves = pd.DataFrame(
        [
            (method, i, 0.8 + 0.01 * i, 0.9)
            for method in ("smooth", "ranking-cg", "ranking-cg-unbounded")
            for i in range(1, 6)
        ],
        columns=["method", "iteration", "test_auc", "train_auc"],
    )
    return FigureOne(points, curves)


def test_page_is_whole_and_needs_nobody(tmp_path):
    write_benchmark(tmp_path / "benchmark.csv")
    write_figure(small_figure(), tmp_path)
    report = write_report(tmp_path / "benchmark.csv", tmp_path)
    text = report.page.read_text(encoding="utf-8")
    outline = Outline(text)
    assert outline.wrong == []
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert not re.search(r"https?://|@import|url\(", text)
    for link in outline.links:
        if link.startswith("#"):
            assert link[1:] in outline.ids
        elif link != "data:,":
            assert (tmp_path / link).is_file(), link
    assert "all 73 data sets with all 5 methods" in text
    assert text.count("<tr") > 2 * 73
    assert "−0.010" in text
    assert {path.suffix for path in report.tables} == {".csv", ".md"}


def test_the_same_results_give_the_same_bytes(tmp_path):
    for folder in ("a", "b"):
        write_benchmark(tmp_path / folder / "benchmark.csv", SMALL)
        write_figure(small_figure(), tmp_path / folder)
        write_report(tmp_path / folder / "benchmark.csv", tmp_path / folder)
    files = sorted(
        p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file()
    )
    assert len(files) > 20
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_order_of_lines_does_not_matter(tmp_path):
    frame = write_benchmark(tmp_path / "a.csv", SMALL)
    frame.sample(frac=1.0, random_state=3).to_csv(tmp_path / "b.csv", index=False)
    pages = [
        write_report(tmp_path / f"{n}.csv", tmp_path / n).page.read_bytes() for n in ("a", "b")
    ]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("methods", [("smooth",), ("smooth", "l1"), METHODS[1:], METHODS])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_part_of_the_benchmark_will_do(tmp_path, methods, n):
    write_benchmark(tmp_path / "b.csv", SMALL[:n], methods)
    report = write_report(tmp_path / "b.csv", tmp_path)
    text = report.page.read_text(encoding="utf-8")
    assert f"so far {n * len(methods)} of 365 results" in text
    assert f"{n} of 73 data sets" in text
    assert f"{len(methods)} of 5 methods" in text
    assert ("needs results of Ranking-CG" in text) == ("ranking-cg" not in methods)
    assert ("The tests need two methods" in text) == (n < 2 or len(methods) < 2)
    assert "run “smoothrank figure”" in text
    names = {path.stem for path in report.tables}
    assert ("table2" in names) == ("ranking-cg" in methods)
    assert ("wilcoxon" in names) == (n > 1 and len(methods) > 1)


def test_methods_are_compared_where_all_have_run(tmp_path):
    frame = write_benchmark(tmp_path / "b.csv", SMALL)
    missing = (frame["dataset"] == "zoo-3") & (frame["method"] == "l1")
    frame[~missing].to_csv(tmp_path / "b.csv", index=False)
    results = read_results(tmp_path / "b.csv")
    assert results.datasets == tuple(SMALL)
    assert results.complete == tuple(SMALL[:-1])
    text = write_report(tmp_path / "b.csv", tmp_path).page.read_text(encoding="utf-8")
    assert "4 data sets have a result of every method" in text
    assert "ours (4 data sets)" in text
    assert Comparison(results).agreement()["data sets"].tolist() == [5, 5, 4, 5, 5]


def test_no_data_set_with_every_method(tmp_path):
    frame = write_benchmark(tmp_path / "b.csv", ["glass0", "iris0"], ("smooth", "l1"))
    frame.iloc[[0, 3]].to_csv(tmp_path / "b.csv", index=False)
    text = write_report(tmp_path / "b.csv", tmp_path).page.read_text(encoding="utf-8")
    assert "0 data sets have a result of every method" in text
    assert "nan" not in text.lower()


def test_what_the_paper_has_not_is_left_out_and_named(tmp_path):
    frame = write_benchmark(tmp_path / "b.csv", SMALL)
    more = frame.iloc[[0, 0, 0]].assign(
        method=["svc", "smooth", "smooth"], dataset=["glass0", "my<own>", "vowel0"]
    )
    more.loc[more["dataset"] == "vowel0", "test_auc"] = None
    pd.concat([frame, more]).to_csv(tmp_path / "b.csv", index=False)
    report = write_report(tmp_path / "b.csv", tmp_path)
    text = report.page.read_text(encoding="utf-8")
    assert report.results.left_out == ("svc", "my<own>")
    assert "left out: svc, my&lt;own&gt;" in text
    assert "1 lines of the results have no AUC" in text
    assert "vowel0" not in text


def test_tables_of_an_earlier_run_do_not_stay(tmp_path):
    write_benchmark(tmp_path / "b.csv", SMALL)
    write_report(tmp_path / "b.csv", tmp_path)
    assert (tmp_path / "tables" / "table2.md").is_file()
    write_benchmark(tmp_path / "b.csv", SMALL, ("smooth", "l1"))
    write_report(tmp_path / "b.csv", tmp_path)
    assert not (tmp_path / "tables" / "table2.md").exists()


def test_markdown_is_as_a_reader_wants_it(tmp_path):
    write_benchmark(tmp_path / "b.csv")
    write_report(tmp_path / "b.csv", tmp_path)
    lines = (tmp_path / "tables" / "table1.md").read_text(encoding="utf-8").splitlines()
    assert lines[1] == "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    assert lines[2].endswith("| 25 | 26 | 30 | 24 | 24 |")
    assert lines[5].endswith("| 2 % | 7 % | 9 % | 100 % | 73 % |")
    assert lines[6].endswith("| 2.0 % | 6.4 % | 9.1 % | 99.9 % | 73.2 % |")
    detail = (tmp_path / "tables" / "table_c1.md").read_text(encoding="utf-8")
    assert "| abalone9-18 | 0.960 | 0.950 | −0.010 |" in detail
    back = pd.read_csv(tmp_path / "tables" / "table_c2.csv", index_col=0)
    assert back["L1, paper"].tolist() == paper_features_used()["l1"].tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop(columns=["seconds", "test_auc"]), "no column test_auc, seconds"),
        (lambda f: pd.concat([f, f.iloc[[0]]]), "abalone9-18 with smooth twice"),
        (lambda f: f.assign(test_auc=1.5), "between 0 and 1"),
        (
            lambda f: f.assign(features_used="many"),
            "features_used holds something that is not a number",
        ),
        (lambda f: f.head(5).assign(method="mine"), "no result of a data set and a method"),
        (lambda f: f.iloc[:0], "no result of a data set and a method"),
    ],
)
def test_wrong_results_are_refused(tmp_path, change, message):
    frame = write_benchmark(tmp_path / "b.csv", SMALL)
    change(frame).to_csv(tmp_path / "b.csv", index=False)
    with pytest.raises(SmoothrankError, match=message):
        write_report(tmp_path / "b.csv", tmp_path)
    assert not (tmp_path / "index.html").exists()


def test_no_results_say_what_to_do(tmp_path):
    with pytest.raises(SmoothrankError, match="run `smoothrank benchmark` first"):
        read_results(tmp_path / "benchmark.csv")
    (tmp_path / "benchmark.csv").write_text("")
    with pytest.raises(SmoothrankError, match="cannot be read"):
        read_results(tmp_path / "benchmark.csv")


def test_cells_hold_text_and_not_markup():
    cells = [Cell("a < b", 'say "x"', note="<i>", css="number"), Cell("–", float("nan"))]
    html = table("one", "<caption>", [Head("<head>"), Head("b")], [cells])
    assert (
        '<th scope="row" class="number" data-value="say &#34;x&#34;">a &lt; b'
        "<small>&lt;i&gt;</small></th><td>–</td>"
    ) in html
    assert "&lt;caption&gt;</caption>" in html
    assert "&lt;head&gt;</button>" in html


def drawn():
    figure, axes = new_figure(*ON_PAGE)
    axes.plot([0, 1], [0.123456789, 1], "o-", color=POSITIVE, gid=notes(["<a>", "second\nline"]))
    axes.scatter([0, 1], [0.5, 0.2], s=[20, 90], marker="*", color=REPELS, gid=notes(["c", "d"]))
    label_axes(axes, "0.123456", "up")
    return inline_svg(figure, "one", "A < title", "words")


def test_a_chart_is_the_same_each_time_and_takes_its_colours_from_the_page():
    svg = drawn()
    assert svg == drawn()
    assert "var(--smooth)" in svg
    assert not re.search("#[0-9a-f]{6}|url|http|font-family", svg)
    assert ">0.123456</text>" in svg
    assert "0.123456" not in svg.replace(">0.123456</text>", "")
    assert '<title id="one-title">A &lt; title</title>' in svg


def test_marks_of_a_chart_have_tooltips():
    told = re.findall(r"<(use|path) [^>]*><title>([^<]*)</title></\1>", drawn())
    assert sorted(told) == [
        ("path", "c"), ("path", "d"), ("use", "&lt;a&gt;"), ("use", "second line"),
    ]  # fmt: skip
