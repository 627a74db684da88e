# SPDX-License-Identifier: MIT
"""Static figures of traffic, and figures of a link or of traffic that a sweep file requests."""

import polars as pl
import pytest

from tcpsweep.core.figures import static_figures
from tcpsweep.core.sweep import network_part
from tcpsweep.core.sweep.requests import MetricFigureRequest
from tcpsweep.features.traffic import slowdown_distributions, traffic_figures
from tests.core.figures import svg_texts
from tests.support import made_traffic, synthetic

LOAD = "network.traffic.short.load"
LOADS, VARIANTS = ["0.2", "0.8"], ["TcpCubic", "TcpDctcp"]
ROWS = [{"variant": variant, LOAD: load} for variant in VARIANTS for load in LOADS]


@pytest.fixture
def sweep():
    return synthetic.record(combinations=ROWS, axes={"variant": VARIANTS, LOAD: LOADS}, runs=(1, 2, 3))


@pytest.fixture
def figures(sweep, monkeypatch):
    curve = ([1.0, 2.0, 40.0], [1.0, 0.5, 0.01])
    monkeypatch.setattr(slowdown_distributions, "curves", lambda sweep, runs: {"short": curve})
    return list(traffic_figures.figures(synthetic.results(sweep, traffic=made_traffic.table(4)), 336))


def test_each_groups_first_metrics_have_a_figure_against_each_axis(figures):
    names = {figure.name for figure in figures}
    assert {"short-slowdown_mean-by-network-traffic-short-load", "answers-round_goodput_bps-by-variant"} <= names
    assert {figure.group for figure in figures} == {"Traffic short", "Traffic answers"}


def test_slowdowns_by_size_have_a_panel_for_each_class_and_say_what_is_infinite(figures):
    first, *others = [figure for figure in figures if "by-size" in figure.name]
    assert len(others) == len(LOADS) - 1
    assert {"slowdown", "percentile", "size ≤ 10 kB", "size > 1 MB", "DCTCP"} <= svg_texts.texts(first.chart)
    assert svg_texts.overlaps(first.chart, 336) == ([], [])
    assert "infinite" in first.caption


def test_the_distribution_of_slowdowns_has_a_figure_for_each_network(figures):
    found = [figure for figure in figures if "distribution" in figure.name]
    titles = [f"Distribution of the slowdown of short, at short load {load}" for load in LOADS]
    assert [figure.title for figure in found] == titles
    assert svg_texts.texts(found[0].chart) >= {"slowdown", "share of flows with as much or more", "0.01"}
    assert svg_texts.overlaps(found[0].chart, 336) == ([], [])
    assert found[0].data.rows()[:2] == [("TcpCubic", 1.0, 1.0), ("TcpCubic", 2.0, 0.5)]


def test_a_figure_can_be_of_traffic(sweep):
    part = network_part.part_named("traffic", "answers")
    request = MetricFigureRequest("", "round_goodput_bps", LOAD, {}, [], "auto", 252.0, part)
    (figure,) = static_figures.of_requested_metrics(
        sweep, pl.DataFrame(), [request], {"traffic": made_traffic.table(4)}
    )
    assert figure.title == "Goodput of rounds of traffic answers against short load"
    assert figure.data["round_goodput_bps [Mbit/s]"].to_list() == [400.0] * 4
