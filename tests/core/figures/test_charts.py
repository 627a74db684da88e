# SPDX-License-Identifier: MIT
"""Kinds of charts, which altair builds once, and their slots."""

import json
import subprocess
import sys

import altair
import pytest

from tcpsweep.core.figures import chart_kinds, charts

SLOTS = {"x title": "bandwidth", "x scale": {"zero": False}, "y title": "goodput", "fair": 0.5, "colours": {}}


def test_a_figure_fills_slots_and_leaves_out_what_has_no_value_and_layers_without_rows():
    points = [{"place": 1, "mean": 2.0, "low": 1.0, "high": 3.0, "series": "TcpCubic", "dodge": 0}]
    chart = charts.filled(charts.kind("means over numbers"), SLOTS, points=points, fair=[{}])
    altair.Chart.from_dict(chart)  # valid
    assert [layer["mark"]["type"] for layer in chart["layer"]] == ["rule", "line", "rule", "tick", "tick", "point"]
    assert chart["layer"][1]["encoding"]["y"] == {"field": "mean", "type": "quantitative", "title": "goodput"}
    assert chart["layer"][0]["encoding"]["y"]["datum"] == 0.5
    assert "slot " not in json.dumps(chart)


@pytest.mark.parametrize("name", chart_kinds.KINDS)
def test_a_kept_kind_is_what_altair_builds(name):
    assert charts.kind(name) == json.loads(json.dumps(charts.built(chart_kinds.KINDS[name])))


def test_a_report_needs_no_altair_once_its_charts_are_kept():
    charts.kind("over time")
    code = "from tcpsweep.core.figures import charts, static_figures\nfrom tcpsweep.core.report import sweep_page\n"
    code += "charts.kind('over time')\nimport sys\nassert 'altair' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
