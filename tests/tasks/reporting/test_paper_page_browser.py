"""The report in a real browser: wide and narrow, light and dark."""

from __future__ import annotations

import os
import shutil

import pytest

from tasks.benchmark.figure import write_figure
from tasks.reporting.paper.page import write_report
from tests.support.benchmark_file import write_benchmark
from tests.tasks.reporting.test_paper_page import small_figure

pytestmark = pytest.mark.services

WIDTHS = {"desktop": (1280, 900), "phone": (360, 740)}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser():
    """Return Chromium; where there is none the tests are skipped, but not in CI."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None and not os.environ.get("CI"):
        pytest.skip("there is no Chromium on this machine; install one to test the page")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    write_benchmark(folder / "benchmark.csv")
    write_figure(small_figure(), folder)
    return write_report(folder / "benchmark.csv", folder).page


@pytest.fixture(params=[(w, s) for w in WIDTHS for s in ("light", "dark")], ids="-".join)
def page(request, browser, page_file):
    """Open the page; fail if it says anything on the console or asks for another file."""
    width, scheme = request.param
    size = dict(zip(("width", "height"), WIDTHS[width], strict=True))
    opened = browser.new_page(viewport=size, color_scheme=scheme)
    said, asked = [], []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda wanted: asked.append(wanted.url))
    opened.goto(page_file.as_uri())
    yield opened
    opened.close()
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [page_file.as_uri()]


def column(page, table, number):
    """Return the texts of a column, without the notes below."""
    return page.eval_on_selector_all(
        f"#{table} tbody tr > :nth-child({number})",
        "cells => cells.map(cell => cell.firstChild.textContent)",
    )


def test_nothing_sticks_out(page):
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= shown
    inside = page.eval_on_selector_all(
        "main svg, main p, main h2, .scroll, .cards",
        "parts => parts.filter(p => p.getBoundingClientRect().right > innerWidth + 0.5).length",
    )
    assert inside == 0


CUT = """texts => texts.filter(text => {
  const box = text.getBoundingClientRect(), view = text.ownerSVGElement.getBoundingClientRect();
  return box.left < view.left - 0.5 || box.top < view.top - 0.5
    || box.right > view.right + 0.5 || box.bottom > view.bottom + 0.5;
}).map(text => text.textContent)"""


def test_texts_of_drawings_lie_inside_them(page):
    assert page.eval_on_selector_all("main svg text", CUT) == []


def test_sorting(page):
    names = column(page, "c1", 1)
    ours = page.locator("#c1 thead tr:last-child th").nth(2)
    ours.locator("button").click()
    assert ours.get_attribute("aria-sort") == "descending"
    values = [float(text) for text in column(page, "c1", 3)]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1]
    ours.locator("button").press("Enter")
    assert ours.get_attribute("aria-sort") == "ascending"
    values = [float(text) for text in column(page, "c1", 3)]
    assert values == sorted(values)
    assert "sorted by ours, ascending" in page.locator("#said").inner_text()
    page.locator("#c1 thead tr:last-child th button").first.click()
    assert ours.get_attribute("aria-sort") == "none"
    assert column(page, "c1", 1) != names[::-1]
    assert sorted(column(page, "c1", 1)) == sorted(names)
    assert column(page, "c1", 1)[0] == "abalone-3_vs_11"


def test_what_agrees_can_be_hidden(page):
    assert page.locator('output[data-counts="c1"]').inner_text() == "73 of 73 shown"
    page.locator('input[data-hides-near="c1"]').check()
    assert page.locator('output[data-counts="c1"]').inner_text() == "1 of 73 shown"
    assert page.locator("#c1 tbody tr:visible").count() == 1
    cell = page.locator("#c1 tbody tr:visible td").nth(1)
    assert cell.inner_text().split() == ["0.950", "−0.010"]
    assert "down strong" in str(cell.get_attribute("class"))
    page.locator('input[data-hides-near="c1"]').uncheck()
    assert page.locator("#c1 tbody tr:visible").count() == 73


CONTRAST = """() => {
  const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const numbers = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const back = node => {
    for (; node; node = node.parentElement) {
      const [r, g, b, a = 1] = numbers(getComputedStyle(node).backgroundColor);
      if (a > 0) return [r, g, b];
    }
  };
  const poor = [];
  const texts = "h1, h2, p, a, li, th, td, small, figcaption, svg text";
  for (const node of document.querySelectorAll(texts)) {
    const style = getComputedStyle(node);
    if (node.closest(".skip, .unseen")) continue;
    const ink = numbers(node.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(ink), light(back(node.closest("svg") ? node.closest("figure") : node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${node.tagName} ${node.className} ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
}"""


def test_everything_can_be_read(page):
    assert page.evaluate(CONTRAST) == []


def test_dark_is_dark(page):
    red = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (int(red) < 60) == dark


def test_contents_lead_to_every_part(page):
    for link in page.locator("nav a").all():
        target = page.locator(str(link.get_attribute("href")))
        link.click()
        top = target.bounding_box()["y"]
        at_end = page.evaluate("innerHeight + scrollY >= document.documentElement.scrollHeight - 1")
        assert 0 <= top < 100 or at_end


def test_names_for_those_who_do_not_see(page):
    for picture in page.locator("figure > svg").all():
        for name in str(picture.get_attribute("aria-labelledby")).split():
            assert page.locator(f"#{name}").text_content()
    assert page.locator("table:not(:has(caption))").count() == 0
    assert page.locator("h1").count() == 1
    assert page.evaluate("document.documentElement.lang") == "en"
