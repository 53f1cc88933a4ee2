"""The report of a run with 85 columns in a real browser: wide and narrow, light and dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tasks.reporting.test_paper_page_browser import (  # noqa: F401
    CONTRAST,
    CUT,
    browser,
    page,
)
from tests.tasks.reporting.test_run_page import home, retrained, rows  # noqa: F401

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def page_file(home):  # noqa: F811
    retrained(home, rows(85))
    return Path(home) / ".smoothrank" / "reports" / "table-smooth.html"


def test_the_page_can_be_read_at_any_width_and_in_the_dark(page):  # noqa: F811
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= shown
    outside = page.eval_on_selector_all(
        "main svg, main p, main li, h1, h2, .scroll, .cards, dl, figure",
        "parts => parts.filter(p => p.getBoundingClientRect().right > innerWidth + 0.5)"
        ".map(p => p.outerHTML.slice(0, 100))",
    )
    assert outside == []
    assert page.evaluate(CONTRAST) == []
    red = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (int(red) < 60) == dark
    assert page.locator("#prototypes tbody tr").count() == 12
    assert page.locator("#rest tbody tr").count() == 73
    assert page.locator("table:not(:has(caption))").count() == 0


def test_texts_of_drawings_lie_inside_them_and_every_link_leads_somewhere(page):  # noqa: F811
    assert page.eval_on_selector_all("main svg text", CUT) == []
    for link in page.locator("nav a").all():
        assert page.locator(str(link.get_attribute("href"))).count() == 1
    page.locator("#prototypes thead tr:last-child button").nth(1).click()
    moved = page.eval_on_selector_all(
        "#prototypes tbody tr > :nth-child(2)", "cells => cells.map(cell => +cell.dataset.value)"
    )
    assert moved == sorted(moved, reverse=True)
