"""Headless Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def find_chromium() -> str:
    """Return the program; without it the test is skipped, but not in CI."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None and os.environ.get("CI"):
        pytest.fail("Chromium is not installed; .ci/run should have installed it")
    if found is None:
        pytest.skip("Chromium is not installed (on Debian: apt-get install chromium)")
    return found


@contextmanager
def chromium() -> Iterator[Any]:
    """Run a browser while the block lasts."""
    from playwright.sync_api import sync_playwright

    program = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield browser
        browser.close()
