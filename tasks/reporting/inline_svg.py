"""Figures as SVG inside a page: colours and font come from the style sheet, marks have tooltips."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from smoothrank.plots import style
from tasks.reporting.pages import macros

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VARIABLES = {
    "#ffffff": "panel",
    style.INK: "ink",
    style.FAINT: "line",
    style.NEGATIVE: "soft",
    style.POSITIVE: "smooth",
    style.POSITIVE_STAR: "smooth",
    style.REPELS: "unbounded",
    style.SCALE_COLOURS[None]: "ranking-svm",
    style.SCALE_COLOURS["quantile"]: "l1",
    **{look["color"]: name for name, look in style.METHODS.items()},
    style.METHODS["ranking-cg-unbounded"]["color"]: "unbounded",
}
"""The variable of the style sheet that stands for each colour of the figures."""

_NOTED = re.compile(r'^( *)<g id="notes\n([^"]*)">(.*?)^\1</g>', re.MULTILINE | re.DOTALL)
_DROPPED = re.compile(
    r' id="(?!m[0-9a-f]{10}")[^"]*"| clip-path="[^"]*"| transform="rotate\(-0 [^"]*"'
    r"|font-family: [^;\"]*; |<defs>\s*<clipPath.*?</defs>|(?<=>)\s+(?=<)",
    re.DOTALL,
)


def inline_svg(figure: Figure, name: str, title: str, description: str) -> str:
    """Return a figure as an SVG element.

    Parameters
    ----------
    figure : Figure
        The figure, drawn with the colours of `smoothrank.plots.style`.
    name : str
        Unique on the page.
    title, description : str
        What it shows, in one line; and a description. Screen readers read both.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    canvas: Any = FigureCanvasSVG(figure)
    buffer = io.StringIO()
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        canvas.print_svg(buffer)
    drawn = buffer.getvalue()
    start, end = drawn.index('<g id="figure_1">'), drawn.rindex("</svg>")
    body = _DROPPED.sub("", _NOTED.sub(_with_notes, drawn[start:end]))
    body = re.sub(r' (d|x|y)="([^"]*)"', _rounded, body.replace("xlink:href", "href"))
    body = re.sub("#[0-9a-f]{6}", lambda m: f"var(--{VARIABLES[m[0]]})", body)
    width, height = figure.get_size_inches() * style.POINTS
    html: str = macros.svg(name, title, description, f"{width:g} {height:g}", body)
    return html


def captioned(figure: Figure, name: str, title: str, words: str) -> str:
    """Return a figure whose caption is its title and its description."""
    html: str = macros.figure(inline_svg(figure, name, title, words), f"{title}. {words}")
    return html


def _with_notes(group: re.Match[str]) -> str:
    """Add the tooltips to the marks of a group."""
    notes = iter(group[2].split("\n"))
    tag = "use" if "<use" in group[3] else "path"
    marks = re.sub(
        f"<{tag} ([^>]*)/>",
        lambda mark: f"<{tag} {mark[1]}><title>{next(notes, '')}</title></{tag}>",
        group[3],
    )
    return f"<g>{marks}</g>"


def _rounded(attribute: re.Match[str]) -> str:
    numbers = re.sub(r"\d+\.\d+", lambda m: f"{round(float(m[0]), 2):g}", attribute[2])
    return f' {attribute[1]}="{" ".join(numbers.split())}"'
