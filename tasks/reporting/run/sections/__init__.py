"""The sections of a run's page, in order; one that has nothing to show is left out.

A new section is a file here and its line in `SECTIONS`.
"""

from tasks.reporting.pages import Section
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

SECTIONS = (
    Section("decision", "Decision", "The decision", decision.content),
    Section("drivers", "What drives it", "What drives it", drivers.content),
    Section("peers", "Peers", "Against two plain peers", peers.content),
    Section("threshold", "Threshold", "Where to draw the line", threshold.content),
    Section("figures", "Figures", "Figures", figures.content),
    Section("choice", "Choice", "How it was chosen", choice.content),
    Section("data", "Data", "The data", data.content),
    Section("provenance", "Provenance", "Provenance", provenance.content),
)
