"""The sections of the report on the paper, in the order of the page.

A new section is a file here and its line in `SECTIONS`.
"""

from tasks.reporting.pages import Section
from tasks.reporting.paper.sections import (
    agreement,
    figure_one,
    pareto,
    ranks,
    summary_tables,
    table_c1,
    table_c2,
    time,
)

SECTIONS = (
    Section("agreement", "Agreement", "How close we come", agreement.content),
    Section("tables-1-2", "Tables 1, 2", "Tables 1 and 2", summary_tables.content),
    Section("figure-1", "Figure 1", "Figure 1: the noisy XOR problem", figure_one.content),
    Section("ranks", "Ranks", "Which methods differ", ranks.content),
    Section("pareto", "Features", "AUC against number of features", pareto.content),
    Section("time", "Time", "Time", time.content),
    Section("table-c1", "Table C.1", "Table C.1: test AUC", table_c1.content),
    Section("table-c2", "Table C.2", "Table C.2: number of features used", table_c2.content),
)
