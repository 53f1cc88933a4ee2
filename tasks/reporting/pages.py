"""Pages made of Jinja2 templates: one HTML file with its style and script, that needs no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_HERE = Path(__file__).parent
_ENVIRONMENT = Environment(
    loader=FileSystemLoader([_HERE / "templates", _HERE / "assets"]),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)

Subject = TypeVar("Subject")

macros: Any = _ENVIRONMENT.get_template("macros.html").module
"""The macros of `templates/macros.html`; each returns Markup."""


@dataclass(frozen=True)
class Section(Generic[Subject]):
    """A section of a page about something.

    Parameters
    ----------
    name : str
        Its id on the page.
    link, title : str
        Its text in the contents, and its heading.
    content : callable
        Returns what it shows: Markup as it is, plain text as a paragraph; nothing leaves it out.
    """

    name: str
    link: str
    title: str
    content: Callable[[Subject], Sequence[str]]


def render_page(
    title: str,
    lead: Sequence[str],
    sections: Sequence[Section[Subject]],
    subject: Subject,
    *,
    skip: str,
    notes: Sequence[str] = (),
    styles: Sequence[str] = ("report.css",),
    over: str = "smoothrank",
) -> str:
    """Return the whole page as HTML.

    Parameters
    ----------
    title : str
        Its heading.
    lead, notes : sequence of str
        The paragraphs below the heading, first the large ones.
    sections : sequence of Section
        Its sections in order.
    subject : object
        What the page is about.
    skip : str
        The text of the skip link to the first section, for keyboard users.
    styles : sequence of str
        Style sheets of `tasks/reporting/assets`.
    over : str
        The line above the heading.
    """
    contents = {section: section.content(subject) for section in sections}
    shown = {section: content for section, content in contents.items() if content}
    return _ENVIRONMENT.get_template("page.html").render(
        title=title, lead=lead, sections=shown, skip=skip, notes=notes, styles=styles, over=over
    )
