# SPDX-License-Identifier: MIT
"""The section of tables: results, verdicts, and the numbers of FlowMonitor and of nodes."""

from dataclasses import dataclass
from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report import flow_and_node_tables
from tcpsweep.core.report.flow_and_node_tables import Totals
from tcpsweep.core.report.sections import results as table_of_results
from tcpsweep.core.report.sections import verdicts
from tcpsweep.core.report.sections.results import Results
from tcpsweep.core.report.sections.verdicts import Difference, Verdicts
from tcpsweep.core.sweep import axes, sweep_tables


@dataclass(frozen=True)
class Tables:
    """The tables as texts, and all tables' files with their links."""

    results: Results
    has_traffic: bool
    files: list[tuple[str, str]]
    verdicts: Verdicts
    differences: list[Difference]
    flow_monitor: Totals
    nodes: Totals


def _tables(results: SweepResults) -> Tables:
    folder, sweep = results.folder, results.sweep

    def where(row: dict[str, Any]) -> str:
        return ", ".join(filter(None, (axes.axes_in_words(sweep.texts[row["combination"]]), f"run {row['run']}")))

    return Tables(
        table_of_results.table(results.swept, results.summary, results.finished),
        not results.table("traffic").is_empty(),
        [(name, results.link(name)) for name in sweep_tables.present_files(folder)],
        verdicts.verdicts(sweep, folder),
        verdicts.differences(sweep, folder),
        flow_and_node_tables.flows(sweep_tables.scan(folder, "flow_monitor"), where),
        flow_and_node_tables.nodes(sweep_tables.scan(folder, "nodes"), where),
    )


SECTION = Section("tables", "report/tables.html.jinja", _tables, heading="Tables")
