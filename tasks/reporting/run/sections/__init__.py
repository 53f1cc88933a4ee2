"""The sections of a run's page, in order; a section that has nothing to show returns None.

A new section is a file here and its line in `SECTIONS`.
"""

from collections.abc import Callable

from tasks.reporting.pages import Section
from tasks.reporting.run.run_facts import Run
from tasks.reporting.run.sections import (
    choice,
    data,
    decision,
    drivers,
    figures,
    peers,
    provenance,
    threshold,
)

SECTIONS: tuple[Callable[[Run], Section | None], ...] = (
    decision.section,
    drivers.section,
    peers.section,
    threshold.section,
    figures.section,
    choice.section,
    data.section,
    provenance.section,
)
