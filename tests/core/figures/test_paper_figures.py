# SPDX-License-Identifier: MIT
"""Figures for a paper: no overlapping texts, the width on paper, complete intervals, colours and marks."""

import csv
import itertools
import json
import random
import re
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from tcpsweep.core.figures import (
    metric_chart,
    metric_data,
    picture_files,
    plot_scales,
    series_styles,
    static_figures,
    text_sizes,
)
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweep.requests import MetricFigureRequest
from tcpsweep.core.words import metrics, printed_names
from tests.core.figures import svg_texts
from tests.support import synthetic
from tests.support.tools import lacking

FIGURES = yaml.safe_load(Path(__file__).with_name("layouts.yaml").read_text())
SINGLE = FIGURES["one network"]["values"]["variant"]


def summary_of(sweep, metric, mean, half):
    """A summary with a row for each variant of each combination; ``half`` is a share of the mean."""
    draw, rows = random.Random(3), []
    for number, row in enumerate(sweep.combinations):
        for own in row["variant"].split("+"):
            value = mean(row, own, draw)
            width = abs(value) * half * draw.random()
            rows.append((number, own, metric, value, value - width, value + width, 5, 5))
    names = ["combination", "flow_variant", "metric", "mean", "low", "high", "runs", "distinct_runs"]
    return pl.DataFrame(rows, schema=names, orient="row")


def by_rank(row, own, draw):
    return 1e6 * (1 + SINGLE.index(own)) * float(row.get("bandwidth", "4Mbps")[:-4])


def alike(row, own, draw):
    return 1e6 * (1 + 0.03 * draw.random())


def over_decades(row, own, draw):
    return 9e6 / (1 + row["loss"] * 3e5 * (1 + SINGLE.index(own)))


def around_zero(row, own, draw):
    return 0.1 * (draw.random() - 0.5)


MEANS = {function.__name__: function for function in (by_rank, alike, over_decades, around_zero)}


def drawn(name, width_pt=252.0, scale="auto"):
    given = FIGURES[name]
    sweep, metric = synthetic.crossed(**given["values"]), given["metric"]
    request = MetricFigureRequest("", metric, given["axis"], {}, given.get("panels", []), scale, width_pt)
    summary = summary_of(sweep, metric, MEANS[given["means"]], given["half"])
    found = metric_data.requested(sweep, summary, request)
    return found, metric_chart.chart(found, series_styles.styles(sweep), picture_files.pixels(width_pt), scale)


@pytest.mark.long
@pytest.mark.parametrize("width_pt", [252.0, 516.0])
@pytest.mark.parametrize("name", FIGURES)
def test_no_text_lies_over_another_or_out_of_the_figure_and_panels_are_sorted_by_their_heads(name, width_pt):
    _, chart = drawn(name, width_pt)
    assert svg_texts.overlaps(chart, picture_files.pixels(width_pt)) == ([], [])
    facet = chart.get("facet", {})
    for side in [facet] if "field" in facet else facet.values():
        assert set(side["sort"]) == {row[side["field"]] for row in chart["datasets"]["points"]}


def test_overlaps_are_seen():
    texts = [{"text": "TcpNewReno", "x": x} for x in (1, 40)]
    mark = {"type": "text", "align": "left", "fontSize": 10}
    encoding = {"text": {"field": "text"}, "x": {"field": "x", "type": "quantitative", "scale": None}}
    chart = {"data": {"values": texts}, "mark": mark, "encoding": encoding, "width": 90, "height": 20}
    pairs, _ = svg_texts.overlaps(chart, 110)
    assert pairs == [("TcpNewReno", "TcpNewReno")]


def test_lines_that_end_apart_have_their_names_at_their_ends():
    _, apart = drawn("eight variants apart", scale="linear")
    _, close = drawn("eight variants alike")
    drawings = (picture_files.drawn_svg(chart, None) for chart in (apart, close))
    heights = [{box[1] for text, box in svg_texts.boxes(svg) if text in SINGLE} for svg in drawings]
    assert [len(found) for found in heights] == [8, 3]  # at eight ends; in a legend of three rows


@pytest.mark.parametrize("name", ["four decades", "decades down to zero", "on both sides of zero"])
@pytest.mark.parametrize("scale", ["auto", "linear", "log", "cut"])
def test_every_interval_lies_whole_within_its_axis(name, scale):
    found, _ = drawn(name, scale=scale)
    axis = metric_chart.scale_of(metrics.METRICS[found.metric], found.points, scale)
    ends = [*found.points["low"], *found.points["mean"], *found.points["high"]]
    assert min(map(axis.place, ends)) >= -1e-9
    assert max(map(axis.place, ends)) <= 1 + 1e-9
    assert len(axis.ticks) >= 2


def test_small_multiples_stand_in_line():
    svg = picture_files.drawn_svg(drawn("twelve networks")[1], None)
    frames = re.findall(
        r'translate\(([0-9.]+),([0-9.]+)\)"><path class="background"[^>]* d="M0.5,0.5h([1-9][0-9.]*)v([1-9][0-9.]*)',
        svg,
    )
    assert len(frames) == 12
    assert [len({frame[side] for frame in frames}) for side in range(4)] == [3, 4, 1, 1]


@pytest.mark.parametrize("value", [0.003, 1.0, 7.3, 999.0, 12345.0])
def test_linear_ticks_are_even_and_hold_both_ends(value):
    scale = plot_scales.around(-value / 3, value, zero=True)
    assert scale.least <= -value / 3
    assert scale.largest >= value
    steps = np.diff(scale.ticks)
    assert np.allclose(steps, steps[0])
    assert 0.0 in scale.ticks


def test_close_values_get_several_logarithmic_ticks_and_an_axis_that_may_be_cut_begins_close_to_them():
    scale = plot_scales.logarithmic([0.923, 0.9641, 0.959])
    assert scale.kind == "log"
    assert len(scale.ticks) >= 3
    assert scale.least <= 0.923 < 0.9641 <= scale.largest < 1.1
    metric = metrics.METRICS["goodput_bps"]
    points = pl.DataFrame({"mean": [0.95, 0.96], "low": [0.94, 0.955], "high": [0.96, 0.965]})
    assert metric_chart.scale_of(metric, points).least == 0
    cut = metric_chart.scale_of(metric, points, "cut")
    assert (plot_scales.is_cut(cut), cut.least) == (True, pytest.approx(0.94))


def test_a_text_that_is_broken_or_cut_keeps_to_its_width():
    name = "TcpNewReno+TcpLinuxReno+TcpCubic"
    assert text_sizes.broken(name, 10, 130) == ["TcpNewReno+", "TcpLinuxReno+TcpCubic"]
    assert all(text_sizes.width(line, 10) <= 60 for line in text_sizes.broken(name, 10, 60))
    assert text_sizes.cut(name, 10, 500) == name


# Files

SWEEP = Path(__file__).with_name("paper.yaml").read_text()


def varied(row, run):
    return [1e5 * (run + 2 * flow + 1) for flow in range(row["flows"])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A sweep's folder with its tables and some of its figures. Tests only read it."""
    drawn = static_figures.of_metrics
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("paper"))
        patch.setattr(static_figures, "of_metrics", lambda *tables: itertools.islice(drawn(*tables), 3))
        made = synthetic.sweep(SWEEP, varied).absolute()
        static_figures.write(made)
        yield made


def test_figures_are_as_wide_on_paper_as_they_shall_be_and_requested_ones_come_first(folder):
    index = json.loads((folder / "figures.json").read_text())
    widths = {}
    for figure in index:
        pdf = (folder / figure["files"]["pdf"]).read_bytes()
        left, _, right, _ = re.search(rb"/MediaBox\s*\[([^\]]*)\]", pdf)[1].split()
        widths[figure["name"]] = float(right) - float(left)
    assert widths.pop("figure-2-Fairness") == pytest.approx(504, abs=0.1)
    assert widths.pop("time-1-Windows") == pytest.approx(252, abs=0.1)  # 3.5in
    # Points of PDF, where LaTeX has 72.27 to the inch.
    assert widths == pytest.approx(dict.fromkeys(widths, 252 * 72 / 72.27), abs=0.1)
    assert len(widths) == 1 + 3 + 3  # requested, of metrics, of a run of each variant
    first, second, *_ = index
    assert first["name"] == "figure-1-Goodput-per-flow-against-bandwidth"
    assert list(first["files"]) == ["svg", "png", "pdf", "tex", "csv"]
    assert first["caption"].startswith("All at delay 5ms. Points are means of 2 runs")
    assert "The metric's axis is logarithmic, and linear around 0" in first["caption"]
    svg, png, _, tex, _ = ((folder / path).read_bytes() for path in first["files"].values())
    assert int(re.search(rb' width="(\d+)"', svg)[1]) == 252 * 96 / 72
    assert struct.unpack(">I", png[16:20]) == (2 * 252 * 96 / 72,)
    assert b"\\includegraphics{figure-1-Goodput-per-flow-against-bandwidth.pdf}" in tex
    assert b"95 \\% confidence intervals" in tex
    assert second["title"] == "Fairness"


def test_a_figures_data_are_the_means_and_intervals_of_the_table(folder):
    summary = pl.read_parquet(folder / "summary.parquet")
    sweep = sweep_record.read(folder)
    data = pl.read_csv(folder / "figures" / "figure-1-Goodput-per-flow-against-bandwidth.csv")
    assert data.columns == [
        *("bandwidth [Mbit/s]", "series", "goodput_bps [Mbit/s]", "low [Mbit/s]", "high [Mbit/s]", "runs")
    ]
    wanted = [n for n, row in enumerate(sweep.combinations) if row["delay"] == "5ms"]
    rows = summary.filter((pl.col("metric") == "goodput_bps") & pl.col("combination").is_in(wanted))
    for column, name in zip(data.columns[2:5], ("mean", "low", "high"), strict=True):
        assert sorted(data[column]) == pytest.approx(sorted(value * 1e-6 for value in rows[name]))


def test_a_table_is_what_its_csv_says_and_may_go_without_intervals(folder):
    table, plain = json.loads((folder / "figures" / "tables.json").read_text())
    assert table["heads"] == ["variant", "bandwidth", "Goodput per flow [Mbit/s]", "Jain's fairness index"]
    with (folder / table["files"]["csv"]).open() as file:
        written = list(csv.DictReader(file))
    assert len(written) == len(table["rows"]) == 8  # 2 bandwidths of two variants and of a mix of two
    for numbers, row in zip(written, table["rows"], strict=True):
        said = printed_names.series_name(numbers["variant"])
        assert [said, numbers["bandwidth"]] == row[:2]
        jain, low, high = (float(numbers[f"jain{end}"]) for end in ("", " low", " high"))
        assert row[3] == f"{jain:.3f} [{low:.3f}, {high:.3f}]"
        found = [float(numbers[f"goodput_bps{end} [Mbit/s]"]) for end in ("", " low", " high")]
        mean, *ends = re.findall(r"[0-9.]+", row[2])
        tolerance = 10.0 ** -len(mean.partition(".")[2])
        assert float(mean) == pytest.approx(found[0], abs=tolerance)
        if found[1] < 0:  # no rate is below 0
            assert [*map(float, ends)] == pytest.approx([0, found[2]], abs=tolerance)
        else:
            assert float(*ends) == pytest.approx((found[2] - found[1]) / 2, rel=0.06)
    assert {row[0] for row in table["rows"]} >= {"NewReno", "CUBIC (next to NewReno)"}
    # A table of networks has a row for each.
    assert [row[0] for row in plain["rows"]] == ["NewReno", "CUBIC", "NewReno+CUBIC"]
    assert all(re.fullmatch(r"[0-9]\.[0-9]{2}", row[1]) for row in plain["rows"])
    assert "All at bandwidth 2Mbps, delay 5ms." in plain["caption"]


def test_a_tables_latex_has_its_units_in_brackets_and_every_row(folder):
    text = (folder / "figures" / "table-1-Goodput-and-fairness.tex").read_text()
    assert r" &  & {[Mbit/s]} &  \\" in text
    assert r"\begin{tabular}{llrr}" in text
    body = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    assert body.count(r"\\") == 8
    assert all(line.count("&") == 3 for line in body.split("\n") if line)
    assert [text.count(word) for word in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption{")] == [1] * 4


@pytest.mark.latex
def test_latex_sets_figures_and_tables_without_an_overfull_box(folder, tmp_path):
    pdflatex = shutil.which("pdflatex") or lacking("texlive-latex-recommended")
    names = ["figure-1-Goodput-per-flow-against-bandwidth", "table-1-Goodput-and-fairness", "table-2-Plain"]
    inputs = "\n".join(rf"\input{{{folder}/figures/{name}.tex}}" for name in names)
    head = r"\documentclass[twocolumn]{article}\usepackage{booktabs,graphicx}\textwidth=516pt\columnsep=12pt"
    graphics = rf"\graphicspath{{{{{folder}/figures/}}}}"
    (tmp_path / "paper.tex").write_text(rf"{head}{graphics}\begin{{document}}{inputs}\end{{document}}")
    ran = subprocess.run([pdflatex, "-interaction=batchmode", "paper.tex"], cwd=tmp_path, capture_output=True)
    log = (tmp_path / "paper.log").read_text(errors="replace")
    assert ran.returncode == 0, log
    assert "Overfull" not in log, log


def test_a_chart_is_set_in_the_middle_of_a_width_or_made_smaller():
    svg = '<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="300" height="90" viewBox="0 0 300 90"></svg>'
    assert 'width="336" height="90" viewBox="-18 0 336 90"' in picture_files.widened(svg, 336)
    assert 'width="150" height="45.00" viewBox="0 0 300 90"' in picture_files.widened(svg, 150)
