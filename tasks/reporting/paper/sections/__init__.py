"""The sections of the report on the paper, in the order of the page.

A new section is a file here and its line in `SECTIONS`.
"""

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
    agreement.section,
    summary_tables.section,
    figure_one.section,
    ranks.section,
    pareto.section,
    time.section,
    table_c1.section,
    table_c2.section,
)
