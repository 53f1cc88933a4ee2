"""The shell of a page: one HTML file with its style and script, that needs no other."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path

ASSETS = Path(__file__).with_name("assets")


def whole_page(
    title: str,
    lead: str,
    sections: Mapping[str, tuple[str, str]],
    *,
    skip: str,
    styles: tuple[str, ...] = ("report.css",),
    over: str = "smoothrank",
) -> str:
    """Return the whole page as HTML.

    Parameters
    ----------
    title : str
        Its heading, as plain text.
    lead : str
        What stands below the heading, as HTML.
    sections : mapping
        For each part of the page its name, its text in the contents, and its HTML.
    skip : str
        Where the link for those who use no pointer says it leads to; it leads to the first part.
    styles : tuple of str
        Style sheets of `tasks/reporting/assets`.
    over : str
        The line over the heading.
    """
    links = "".join(f'<a href="#{name}">{escape(text)}</a>' for name, (text, _) in sections.items())
    style = "".join((ASSETS / name).read_text(encoding="utf-8") for name in styles)
    script = (ASSETS / "report.js").read_text(encoding="utf-8")
    first = next(iter(sections))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>smoothrank: {escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#{first}">{escape(skip)}</a>\n'
        f"<header><p>{escape(over)}</p><h1>{escape(title)}</h1>{lead}"
        f'</header>\n<nav aria-label="Contents">{links}</nav>\n<main>\n'
        + "\n".join(html for _, html in sections.values())
        + '\n</main>\n<p id="said" class="unseen" role="status" aria-live="polite"></p>\n'
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )
