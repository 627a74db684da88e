# SPDX-License-Identifier: MIT
"""The look of charts that a page draws itself: their colours are names of its style sheet, so that they follow it."""

from __future__ import annotations

from tcpsweep.core.figures import chart_look
from tcpsweep.core.figures.chart_look import VegaLite

_TEXT = {"labelFontSize": 12, "titleFontSize": 12, "labelColor": "var(--ink)", "titleColor": "var(--ink)"}
LOOK: VegaLite = chart_look.LOOK | {
    "background": "transparent",
    "axis": chart_look.LOOK["axis"] | _TEXT | {"gridColor": "var(--grid)", "tickColor": "var(--soft)"},
    "legend": chart_look.LOOK["legend"] | _TEXT,
    "header": chart_look.LOOK["header"] | _TEXT,
    "title": {"color": "var(--ink)", "anchor": "start", "fontSize": 12, "fontWeight": "normal"},
    "view": {"stroke": "var(--line)"},
    "text": {"color": "var(--ink)"},
    "rule": {"color": "var(--soft)"},
}
