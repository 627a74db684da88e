# SPDX-License-Identifier: MIT
"""What the charts of the report's explorer share: they are templates, to which the page's script adds data and size.

`report.explorer` collects them and their data; ``explorer.js`` in ``report/page/report`` fills them in and draws them.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from tcpsweep.figures.chart_look import VegaLite


def template(chart: alt.TopLevelMixin) -> VegaLite:
    """A chart as Vega-Lite without data, look and schema."""
    spec = chart.to_dict(validate=False)
    for view in (spec, *spec.get("layer", ())):
        for key in ("$schema", "config", "data", "datasets"):
            view.pop(key, None)
    return spec


def series() -> dict[str, Any]:
    """The encodings of the column ``series`` as color, shape and strokeDash; the script fills in their scales."""
    legend = alt.Legend(orient="bottom", symbolStrokeWidth=0)
    return {
        "color": alt.Color("series:N", legend=legend),
        "shape": alt.Shape("series:N", legend=legend),
        "strokeDash": alt.StrokeDash("series:N", legend=legend),
    }


def tooltip() -> list[alt.Tooltip]:
    """What a point says when it is pointed at: the columns ``series``, ``where``, ``value`` and ``runs``."""
    heads = {"series": "variant", "where": "at", "value": "value", "runs": "runs"}
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in heads.items()]
