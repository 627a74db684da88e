# SPDX-License-Identifier: MIT
"""Turning points in the report and as static figures."""

import polars as pl
import pytest

from tcpsweep.core.figures import picture_files
from tcpsweep.core.report import page_parts
from tcpsweep.features.refine import refinement, turning_data, turning_figures, turning_points_section
from tests.support import synthetic
from tests.support.refined import DATA, refined, share

TURN = {"5ms": 7e6, "20ms": 1.2e7, "50ms": 2.2e7, "80ms": None}
GRID = {"variant": ["TcpCubic", "TcpBbr"], "delay": list(TURN), "loss": [0, 0.01]}


def of_grid(row):
    return 1.5 if TURN[row["delay"]] is None else share(row, TURN)


@pytest.fixture(scope="module")
def told():
    sweep, looked_at = refined(of_grid, DATA | {"grid": GRID})
    return results(sweep, looked_at)


def results(sweep, looked_at):
    return synthetic.results(sweep, refined_points=looked_at, refined=refinement.turns(sweep, looked_at))


def test_each_network_has_its_dots_its_band_and_its_words(told):
    found = turning_points_section.section(told)
    assert (found.turned, len(found.rows)) == (6, 8)
    (where, first, _), (_, last, _) = found.rows[0], found.rows[-1]
    assert where == "delay 5ms, loss 0"
    ((at, what),) = first.said
    assert at.startswith(("6.9", "7"))
    assert "Mbit/s" in at
    assert what == "TcpBbr has more above it"
    (band,) = first.bands
    assert 0 < band.low <= band.at <= band.high < 100
    kinds = [mark.kind for mark in first.marks]
    assert kinds == sorted(kinds, key=["below", "undecided", "above"].index)
    assert last.said == [("no change of sign", "between 1Mbps and 100Mbps; TcpBbr has more")]
    assert not last.bands


def test_a_map_joins_the_turns_of_neighbours_for_each_value_of_the_other_axes(told):
    found = turning_points_section.section(told)
    sizes = [(each.where, len(each.bars), len(each.bands)) for each in found.maps]
    assert sizes == [("loss 0", 3, 2), ("loss 0.01", 3, 2)]
    first = found.maps[0]
    heights = [bar.at for _, bar, _ in first.bars]
    assert heights == sorted(heights, reverse=True)
    assert (first.x, first.y) == ("delay [ms]", "bandwidth [Mbit/s]")


def test_the_section_is_a_page_of_svg_that_needs_no_script_and_is_left_out_where_nothing_turns(told):
    templates = page_parts._environment()
    template = templates.get_template(turning_points_section.SECTION.template)
    shared = dict.fromkeys(("more", "said_of"), lambda *words: "")
    html = template.render(turning_points=turning_points_section.section(told), **shared)
    assert html.count('class="strip turns"') == 8
    assert "changes its sign along the bandwidth in 6 of 8 network conditions" in html
    assert "built-in" not in html
    empty = {name: table.clear() for name, table in told.tables.items()}
    assert turning_points_section.section(synthetic.results(told.sweep, **empty)) is None


def test_static_figures_are_a_map_for_each_value_of_the_other_axes_and_the_strips(told):
    figures = {figure.name: figure for figure in turning_figures.figures(told, picture_files.pixels(252))}
    assert [*figures] == ["turning-map-0", "turning-map-1", "turning-strips"]
    assert "BBR has more" in picture_files.drawn_svg(figures["turning-map-0"].chart, None)
    assert figures["turning-map-1"].title.endswith(", loss 0.01")


def test_values_without_their_runs_are_counted_and_said(told):
    sweep, looked_at = told.sweep, told.tables["refined_points"]
    assert turning_data.turning_points(sweep, looked_at.with_columns(difference=None), looked_at) is None
    last = pl.col("network") == 7
    gone = last & (pl.col("at") == 1e6)
    lost = looked_at.with_columns(
        pl.when(gone).then(None).otherwise(name).alias(name) for name in ("difference", "low", "high")
    ).with_columns(lost_runs=pl.when(last).then(1).otherwise("lost_runs"), sign=pl.when(last).then(0).otherwise("sign"))
    found = turning_points_section.section(results(sweep, lost))
    _, strip, network = found.rows[7]
    assert (network.incomplete, network.values, len(strip.marks)) == (5, 5, 4)
    assert strip.said == [
        ("sign unknown", "between 1Mbps and 100Mbps; these runs do not show which has more"),
        ("runs are missing", "at 5 of 5 values, which stay inconclusive"),
    ]
