# SPDX-License-Identifier: MIT
"""What the charts of the report's explorer share: they are templates, to which the page's script adds data and size.

`report.explorer` collects them and their data; ``explorer.js`` in ``report/page/report`` fills them in and draws them.
They are written as Vega-Lite has them, because altair takes longer to load than the rest of the report to write.
"""

from __future__ import annotations

from typing import Any

from tcpsweep.figures.chart_look import VegaLite

LEGEND: VegaLite = {"orient": "bottom", "symbolStrokeWidth": 0}
_KINDS = {"Q": "quantitative", "N": "nominal"}


def field(column: str, **options: Any) -> VegaLite:
    """The encoding of a column with its kind, such as "mean:Q" or "series:N", and Vega-Lite's other options."""
    name, kind = column.split(":")
    return dict(sorted({"field": name, "type": _KINDS[kind], **options}.items()))


def end(column: str) -> VegaLite:
    """The encoding of the other end of an interval."""
    return {"field": column}


def view(mark: str, encoding: VegaLite, only: str | None = None, **options: Any) -> VegaLite:
    """A mark with its options and encodings, of all rows or of those of one ``kind`` alone."""
    drawn = {"mark": {"type": mark, **dict(sorted(options.items()))}, "encoding": dict(sorted(encoding.items()))}
    return drawn if only is None else drawn | {"transform": [{"filter": f"datum.kind == '{only}'"}]}


def series() -> dict[str, VegaLite]:
    """The encodings of the column ``series`` as color, shape and strokeDash; the script fills in their scales."""
    return {name: field("series:N", legend=LEGEND) for name in ("color", "shape", "strokeDash")}


def tooltip() -> list[VegaLite]:
    """What a point says when it is pointed at: the columns ``series``, ``where``, ``value`` and ``runs``."""
    heads = {"series": "variant", "where": "at", "value": "value", "runs": "runs"}
    return [field(f"{name}:N", title=title) for name, title in heads.items()]
