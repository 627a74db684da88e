# SPDX-License-Identifier: MIT
"""The report of a sweep: its sections put together on one page that needs no other file and no network.

For a large sweep, it shows only the metrics with which tables begin.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpsweep.core.analysis import sweep_results
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.report_parts import ReportParts
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report import page_libraries, page_parts
from tcpsweep.core.report.picture import overview as overview_picture
from tcpsweep.core.report.sections import (
    audit,
    explorer,
    networks,
    over_time,
    overview,
    paragraph,
    reproduction,
    settings,
    steadiness,
    swept,
    table_texts,
    tables,
)
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import caveats
from tcpsweep.core.words import printed_names, terms

METHOD = (
    swept.SECTION,
    steadiness.SECTION,
    swept.METRICS_SECTION,
    settings.SECTION,
    paragraph.SECTION,
    reproduction.SWEEP_FILE,
    reproduction.VERSIONS,
    reproduction.DIGESTS,
    reproduction.COMMANDS,
)


def write(folder: Path | str, page: Path | str, parts: ReportParts) -> None:
    """Write the report of the sweep in ``folder`` to ``page``, and its overview as a picture in the same folder.

    ``parts`` are what features add to it.
    """
    page_contents = contents(sweep_results.read(folder, page), parts)
    overview_picture.write(page_contents["overview"], Path(page).with_suffix(".png"))
    write_whole(page, page_parts.render("report/report.html.jinja", page_contents))


def contents(results: SweepResults, parts: ReportParts) -> dict[str, Any]:
    """The template's data by the names that it uses: each section's record, and what sections share."""
    sections = _sections_by_place({"main": _main(results, parts), "method": METHOD}, parts.SECTIONS)
    records: dict[str, Any] = {section.name: None for members in sections.values() for section in members}
    shown: dict[str, list[Section]] = defaultdict(list)
    script_data: dict[str, Any] = {}
    scripts = []
    for place, members in sections.items():
        for section in members:
            record = section.data(results)
            if record is None and not shown[f"in {section.name}"]:
                continue
            shown[place].append(section)
            records[section.name] = record
            of_section = {} if record is None else section.script_data(record)
            script_data |= of_section
            scripts += [section.script] if section.script and of_section else []
    return records | {
        "results": results,
        "sweep": results.sweep,
        "placed": shown,
        "parts": [section for members in shown.values() for section in members],
        "scripts": scripts,
        "printed": functools.partial(printed_names.series_name, names=results.sweep.names),
        "touched": caveats.Touching(results.sweep),
        "terms": terms.TERMS,
        "most_rows": table_texts.MOST_ROWS,
        "data": page_parts.as_json(script_data),
        "library": page_libraries.chart_library() if results.is_interactive or scripts else None,
        "tables_library": page_libraries.table_library(),
    }


def _main(results: SweepResults, parts: ReportParts) -> Sequence[Section]:
    """The core's sections in their order."""
    return (
        Section(
            "overview",
            "report/overview.html.jinja",
            functools.partial(overview.overview, parts=parts),
            heading="Overview",
            script_data=lambda record: {"overview": record.plane},
        ),
        audit.LACKING,
        audit.SECTION,
        networks.FIRST,
        explorer.section(results),
        explorer.NETWORKS,
        networks.SECTION,
        explorer.FAIRNESS,
        over_time.SECTION,
        tables.SECTION,
        swept.WARNINGS,
        swept.KNOWN_DEFECTS,
        Section("method", "report/method.html.jinja", lambda results: True, heading="Method"),
    )


def _sections_by_place(
    core: Mapping[str, Sequence[Section]], of_features: Sequence[tuple[str, Section]]
) -> dict[str, list[Section]]:
    """Sections by the place in a template that lists them, in order.

    A feature's place is such a place, as ``in fairness``, or the name of the core's section that it follows.
    """
    added: dict[str, list[Section]] = defaultdict(list)
    for place, section in of_features:
        added[place].append(section)
    listed = {
        place: [member for section in sections for member in (section, *added.pop(section.name, ()))]
        for place, sections in core.items()
    }
    return added | listed
