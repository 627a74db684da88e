# SPDX-License-Identifier: MIT
"""Figures of a metric over another metric, such as throughput over delay."""

import re

import polars as pl
import pytest

from tcpsweep.core.figures import metric_data, metric_figure, metric_plane_chart, picture_files, series_styles
from tcpsweep.core.sweep.requests import MetricFigureRequest
from tests.core.figures import svg_texts
from tests.support import synthetic

# Each variant's throughput in Mbit/s and its delay in ms: the second is better than the first in both, the third has
# less of both.
MEANS = {"TcpCubic": (40, 90), "TcpBbr": (48, 20), "TcpVegas": (10, 12)}
NETWORK = {"utilisation", "queue_mean_packets"}


def summary_of(sweep, *names):
    """A summary in which the first metric has each variant's throughput, the second its delay, ± a tenth."""
    rows = []
    for number, row in enumerate(sweep.combinations):
        variants, factor = row["variant"].split("+"), 2 if row.get("bandwidth") == "100Mbps" else 1
        for name, which, unit in zip(names, (0, 1), (1e6, 1e-3), strict=True):
            for own in variants[:1] if name in NETWORK else variants:
                mean = MEANS[own][which] * unit * factor
                rows.append((number, None if name in NETWORK else own, name, mean, 0.9 * mean, 1.1 * mean, 5, 5))
    names = ["combination", "flow_variant", "metric", "mean", "low", "high", "runs", "distinct_runs"]
    return pl.DataFrame(rows, schema=names, orient="row")


def made(sweep, metric="throughput_bps", over="owd_p95_s", panels=(), width_pt=252.0):
    request = MetricFigureRequest("", metric, over, {}, list(panels), "auto", width_pt)
    found = metric_data.requested(sweep, summary_of(sweep, metric, over), request)
    width = picture_files.pixels(width_pt)
    return found, metric_plane_chart.chart(found, series_styles.styles(sweep), width)


def test_every_variant_has_both_means_with_their_intervals():
    table = metric_data.table(made(synthetic.crossed(variant=list(MEANS)))[0])
    assert table.columns[:3] == ["owd_p95_s [ms]", "owd_p95_s low [ms]", "owd_p95_s high [ms]"]
    assert table.columns[3:] == ["series", "throughput_bps [Mbit/s]", "low [Mbit/s]", "high [Mbit/s]", "runs"]
    for row, (name, (rate, delay)) in zip(table.iter_rows(), MEANS.items(), strict=True):
        wanted = (delay, 0.9 * delay, 1.1 * delay, rate, 0.9 * rate, 1.1 * rate)
        assert (*row[:3], *row[4:7]) == pytest.approx(wanted)
        assert row[3] == name


def test_better_is_up_and_to_the_left():
    sweep = synthetic.crossed(variant=list(MEANS))
    found, chart = made(sweep)
    svg, styles = picture_files.drawn_svg(chart, None), series_styles.styles(sweep)
    at = {}
    for name in MEANS:
        place = r'<path transform="translate\(([\d.]+),([\d.]+)\)"[^>]* fill="{}" stroke="white"'
        at[name] = [float(each) for each in re.search(place.replace("{}", styles[name].colour), svg).groups()]
    assert at["TcpCubic"][0] > at["TcpBbr"][0] > at["TcpVegas"][0]
    assert at["TcpBbr"][1] < at["TcpCubic"][1] < at["TcpVegas"][1]
    words = metric_figure.caption(found, sweep)
    assert words.endswith("Better is up and to the left.")
    assert "bars their 95 % confidence intervals (Student's t)" in words
    # Delay over throughput grows to the right.
    turned, _ = made(sweep, "owd_p95_s", "throughput_bps")
    assert not metric_plane_chart.is_better_up_left(turned)
    assert "Better is" not in metric_figure.caption(turned, sweep)


@pytest.mark.parametrize("width_pt", [252.0, 516.0])
@pytest.mark.parametrize("panels", [[], ["bandwidth"]])
def test_no_text_lies_over_another_or_out_of_the_figure(panels, width_pt):
    axes = {"bandwidth": ["50Mbps", "100Mbps"]} if panels else {}
    _, chart = made(synthetic.crossed(variant=[*MEANS, "TcpCubic+TcpBbr"], **axes), panels=panels, width_pt=width_pt)
    assert svg_texts.overlaps(chart, picture_files.pixels(width_pt)) == ([], [])


@pytest.mark.parametrize(("metric", "over"), [("throughput_bps", "queue_mean_packets"), ("utilisation", "owd_p95_s")])
def test_network_metrics_belong_to_all_variants_of_a_mix(metric, over):
    found, _ = made(synthetic.crossed(variant=["TcpCubic", "TcpCubic+TcpBbr"]), metric, over)
    names = ["TcpCubic", "TcpCubic in TcpCubic+TcpBbr", "TcpBbr in TcpCubic+TcpBbr"]
    assert found.points["series"].to_list() == names
    assert found.points["mean" if metric == "utilisation" else "place"][1:].n_unique() == 1
