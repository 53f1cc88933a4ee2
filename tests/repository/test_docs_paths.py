"""Every file that the documents name is there."""

from __future__ import annotations

import re

import pytest

from tests.support.checkout.repository import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"`((?:smoothrank|tasks|flows|tests|benchmarks|scripts|docs|solvers)/[\w./-]+)`")
PLACEHOLDER = "NAME"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_named_in_a_document_exist(document):
    named = [name for name in NAMED.findall(document.read_text()) if PLACEHOLDER not in name]
    missing = [
        name
        for name in named
        if not (ROOT / name).exists() and not (ROOT / "smoothrank" / name).exists()
    ]
    assert missing == []
