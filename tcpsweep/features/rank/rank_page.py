# SPDX-License-Identifier: MIT
"""The files of a ranking: a page, and its table as CSV and Parquet."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import polars as pl
from markupsafe import Markup

from tcpsweep.core.figures import charts, paper_chart, picture_files
from tcpsweep.core.figures.series_styles import Style
from tcpsweep.core.report import page_libraries, page_parts
from tcpsweep.core.store import layout, whole_files
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.words import spreadsheet_text
from tcpsweep.features.rank import rank_words, scores
from tcpsweep.features.rank.ranking import RANKED, Ranking

_MOST_ROWS, _ROW_HEIGHT, _WIDTH = 60, 16, 420
_MARKS = {
    "better": ("triangle-right", "#0b6b3a"),
    "worse": ("triangle-left", "#b3490a"),
    "equivalent": ("diamond", "#5b6068"),
    "not told apart": ("circle", "#666666"),
    "too few networks": ("cross", "#aaaaaa"),
}


def write(ranking: Ranking) -> Path:
    """Write the files; returns the page."""
    folder = ranking.request.folder
    page = layout.REPORTS / f"rank-{folder.name}.html"
    page.parent.mkdir(exist_ok=True)
    for frame, name in ((ranking.table, "rank"), (ranking.networks, "networks")):
        with whole_files.written_whole(folder / f"{name}.parquet") as file:
            frame.write_parquet(file)
        with whole_files.written_whole(folder / f"{name}.csv") as file:
            spreadsheet_text.harmless(frame).write_csv(file)
    request = ranking.request
    contents = {
        "name": folder.name,
        "baseline": request.baseline,
        "answer": rank_words.answer(ranking),
        "sentences": [text for text in (*rank_words.hidden(ranking), rank_words.audited(ranking)) if text],
        "picture": _picture(ranking),
        "heads": [*rank_words.HEADS, "remark"],
        "rows": rank_words.rows(ranking),
        "unplaced": rank_words.without_place(ranking),
        "weights": {scores.TITLES[name]: weight for name, weight in request.weights.by_metric.items()},
        "smallest": request.weights.smallest,
        "networks": [request.training.words(number) for number in range(len(request.training.rows))],
        "training": Path(request.training.document.name).name,
        "is_confined": request.is_confined,
        "races": request.races,
        "files": {name: quote(os.path.relpath(folder / name, page.parent)) for name in ("rank.csv", "networks.csv")},
        "data": page_parts.as_json({}),
        "library": None,
        "tables_library": page_libraries.table_library(),
    }
    write_whole(page, page_parts.render("features/rank/page/rank.html.jinja", contents))
    return page


def _picture(ranking: Ranking) -> Markup | None:
    """The scores of the first candidates with their intervals; None without scores."""
    rows = ranking.table.filter(pl.col("mean").is_not_null() & (pl.col("state") == RANKED)).head(_MOST_ROWS)
    if rows.is_empty():
        return None
    cases = rows["candidate"].to_list()
    shown = [name for name in _MARKS if name in rows["verdict"]]
    styles = {name: Style(_MARKS[name][1], _MARKS[name][0], []) for name in shown}
    points = rows.select(
        case="candidate", difference="mean", holm_low="low", holm_high="high", series="verdict"
    ).with_columns(pl.col("holm_low", "holm_high").fill_null(pl.col("difference")))
    slots = {
        **paper_chart.size(_WIDTH, _ROW_HEIGHT * len(cases)),
        **paper_chart.of_series(styles, shown, {"orient": "bottom", "columns": 4, "offset": 6}),
        "x title": f"Score against {ranking.request.baseline}, with 95 % intervals",
        "x scale": {"zero": True},
        "cases": cases,
    }
    chart = charts.filled(charts.kind("differences"), slots, points=points, zero=[{"at": 0}])
    return page_parts.inline(picture_files.drawn_svg(chart, None), "scores")
