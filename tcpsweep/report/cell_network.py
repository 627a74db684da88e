# SPDX-License-Identifier: MIT
"""The drawing of a cell's network on its page, with the load of its links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tcpsweep.report import network_drawing, page_parts
from tcpsweep.report.network_groups import Lane
from tcpsweep.sweep.matching import Settings


def of(row: Settings, record: Mapping[str, Any], measures: pl.DataFrame) -> dict[str, Any] | None:
    """What the template shows: ``metrics``, each with name, title and unit, and ``data`` for the script.

    Parameters
    ----------
    row : Settings
        The cell's combination.
    record : dict
        Its ``run.json``.
    measures : DataFrame
        The cell's table.

    Returns
    -------
    dict or None
        None where no network is described, or it is too large to draw.
    """
    drawing = network_drawing.of(row, record)
    if drawing is None:
        return None
    values: dict[Lane, dict[str, float]] = {}
    shown = measures.filter(pl.col("metric").cast(pl.String).is_in(network_drawing.SHOWN), pl.col("flow").is_null())
    for link, direction, name, value in shown.select("link", "direction", "metric", "value").iter_rows():
        if link is not None:
            values.setdefault((link, direction), {})[name] = value
    loads = network_drawing.loads(drawing, values)
    metrics = network_drawing.shown_metrics([loads])
    variants = network_drawing.variants(row, drawing)
    data = {"graph": drawing.shown, "metrics": metrics, "loads": loads, "variants": variants}
    return {
        "metrics": [(each["name"], each["title"], each["unit"]) for each in metrics],
        "data": page_parts.as_json(data),
    }
