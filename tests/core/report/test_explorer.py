# SPDX-License-Identifier: MIT
"""The report's interactive figure and tables: their data, and users' actions in a browser."""

import contextlib
import statistics
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.report.sections import explorer
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.words import markup
from tests.core.report.made_pages import written
from tests.core.report.seen_pages import choose, look, opener
from tests.support.chromium import wait_until

SWEEP = """\
sweep: small
scenario: dumbbell
grid:
  variant: [TcpCubic, TcpNewReno, TcpNewReno+TcpCubic]
  bandwidth: [2Mbps, 4Mbps]
  delay: [5ms, 10ms, 20ms]
repetitions: 3
fixed: {duration: 10s, warmup: 2s}
"""
PAGE = Path("reports/small.html")


def rates(row, run):
    """Goodputs that are different for every combination and run."""
    bandwidth, delay = (int("".join(filter(str.isdigit, row[name]))) for name in ("bandwidth", "delay"))
    return [1e5 * bandwidth + 1e3 * delay + 1e2 * run + 1e4 * flow for flow in range(row["flows"])]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A sweep's folder with a page, and the folder that both are in."""
    here = tmp_path_factory.mktemp("explored")
    with contextlib.chdir(here):
        folder = written(SWEEP, PAGE, rates)
    return here, here / folder


@pytest.fixture(scope="module")
def data(made):
    here, folder = made
    sweep = sweep_record.read(folder)
    summary, flows, effects = (pl.read_parquet(folder / f"{name}.parquet") for name in ("summary", "flows", "effects"))
    with contextlib.chdir(here):
        return explorer.data_of_figures(sweep, summary, flows, sweep.finished(), effects)


def rows(data, metric):
    """A metric's columns as rows: combination, two series, mean, low, high, runs, distinct runs, finding's letter."""
    points = data["points"][metric]
    keys = data["keys"][points["at"]]
    columns = [points[name] for name in ("mean", "low", "high", "runs", "distinct")]
    columns = [column if isinstance(column, list) else [column] * len(keys) for column in columns]
    letters = points["found"] or "." * len(keys)
    return [(*key, *rest) for key, *rest in zip(keys, *columns, letters, strict=True)]


def test_every_mean_is_there_in_the_unit_that_is_shown(data):
    assert next(iter(data["metrics"])) == "goodput_bps"
    points = rows(data, "goodput_bps")
    # Two homogeneous variants in six networks, and two in the mix.
    assert len(points) == 6 * 2 + 6 * 2
    combination, _, _, mean, low, high, runs, distinct, _ = points[0]
    # Runs 1 to 3 of bandwidth 2, delay 5, flows 0 and 1; whole packets make it a little less.
    assert mean == pytest.approx((2e5 + 5e3 + 2e2 + 5e3) / 1e6, rel=0.01)
    assert low < mean < high
    assert (runs, distinct) == (3, 3)
    assert data["cells"][combination][0][0] == 1
    mixed = [row for row in points if row[1] != row[2]]
    names = {(data["series"][row[1]][0], data["series"][row[2]][0]) for row in mixed}
    assert names == {(f"{one} in TcpNewReno+TcpCubic", one) for one in ("TcpNewReno", "TcpCubic")}


def test_metrics_stand_in_groups_headline_ones_first_and_share_what_they_are_of(data):
    groups = [metric["group"] for metric in data["metrics"].values()]
    first = groups.count("headline")
    assert groups[:first] == ["headline"] * first
    others = {"rtt_p95_s": "delay", "queue_p95_packets": "queue", "recovery_share": "recovery and states"}
    assert {name: data["metrics"][name]["group"] for name in others} == others
    assert len(data["keys"]) < 5 < len(data["points"])
    assert data["points"]["goodput_bps"]["at"] == data["points"]["throughput_bps"]["at"]
    assert data["points"]["goodput_bps"]["runs"] == 3


def test_the_plane_has_a_point_for_each_run_and_variant_and_without_axes_there_is_nothing(made, data):
    clouds = data["clouds"]
    assert clouds["delay"] == "queueing_delay_mean_s"
    assert len(clouds["rows"]) == 6 * 3 * (1 + 1 + 2)
    assert {row[4] for row in clouds["rows"]} == {10.0}  # ms
    sweep = sweep_record.read(made[1])
    none = replace(sweep, axes={}, combinations=sweep.combinations[:1])
    assert explorer.data_of_figures(none, pl.DataFrame(), pl.DataFrame(), []) is None


def test_latex_has_a_column_for_each_head_and_no_sign_of_its_own(made):
    text = (made[1] / "summary.tex").read_text()
    assert r"\toprule" in text and r"\bottomrule" in text
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    heads = rows[0].count(" & ") + 1
    assert len(rows) == 1 + 6 * 4
    assert {row.count(" & ") + 1 for row in rows} == {heads}
    assert text.split("{tabular}{")[1].split("}")[0] == "l" * 5 + "r" * (heads - 5)
    assert markup.escaped("50 % of a_b\\c ± 1 {x} ~^#$&") == (
        r"50 \% of a\_b\textbackslash{}c $\pm$ 1 \{x\} \textasciitilde{}\textasciicircum{}\#\$\&"
    )
    assert r"\caption{A. 5 \%.}" in markup.figure("a", "A", "5 %.")


# In a browser


@pytest.fixture
def shown(made, browser):
    return opener(browser, made[0], PAGE, width=1200)


def texts(tab):
    return tab.locator("#explorer .chart svg text").all_text_contents()


def chosen(tab, **values):
    """Choose values of controls, and return the texts of the figure after that."""
    for name, value in values.items():
        choose(tab, f"#explorer select[name={name}]", value, "#explorer .chart")
    return set(texts(tab))


@pytest.mark.browser
def test_controls_change_the_figure_and_stand_in_the_address(shown):
    with shown() as tab:
        assert tab.locator("#explorer").is_visible()
        # The axis with most values, and a panel for each of the other's.
        assert {"delay [ms]", "bandwidth 2Mbps", "CUBIC (next to NewReno)"} <= set(texts(tab))
        assert any(text.startswith("Goodput per flow [Mbit/s]") for text in texts(tab))
        assert any(text.startswith("Jain's fairness index") for text in chosen(tab, metric="jain"))
        assert "bandwidth [Mbit/s]" in chosen(tab, axis="bandwidth")
        address = tab.url.partition("#")[2]
        assert address.startswith("explore?") and "metric=jain" in address and "axis=bandwidth" in address
        assert {"delay 5ms", "delay 20ms"} <= chosen(tab, columns="delay")
        assert {"4Mbps, 20ms", "1"} <= chosen(tab, columns="", kind="heat map")  # the values stand in the boxes
        # Jain's index is the network's: a mix has one.
        assert tab.locator("#explorer .chart svg .mark-rect path").count() >= 3 * 6
    with shown(f"#{address}") as tab:
        names = ("metric", "axis", "kind")
        kept = [tab.locator(f"#explorer select[name={name}]").input_value() for name in names]
        assert kept == ["jain", "bandwidth", "lines"]


@pytest.mark.browser
def test_an_axis_that_determines_another_has_the_panels_at_first(here, browser):
    """Panels for ``stack``, with ``corrections`` held at one value, would lack one of the two stacks."""
    head, _, tail = SWEEP.partition("grid:\n")
    grids = ("stack: [ns-3], corrections: [none, prr]", "stack: [linux]")  # whose rows have all corrections
    groups = "".join(f"- {{variant: [TcpCubic, TcpBbr], delay: [5ms, 10ms, 20ms], {grid}}}\n" for grid in grids)
    fixed = tail[tail.index("repetitions") :].replace("{", "{preset: linux, bandwidth: 2Mbps, ")
    written(f"{head}grid:\n{groups}{fixed}", PAGE, rates)
    with opener(browser, here, PAGE, width=1200)() as tab:
        assert {"corrections all", "corrections prr", "corrections none"} <= set(texts(tab))


@pytest.mark.browser
def test_a_click_on_a_point_leads_to_its_cells(shown, made):
    with shown() as tab:
        look(tab, "clickPoint")
        links = tab.locator("#explorer .details a")
        assert links.all_text_contents() == ["run 1", "run 2", "run 3"]
        cells = {cell for cell, _, _ in sweep_record.read(made[1]).cells}
        assert all(Path(link.get_attribute("href")).stem in cells for link in links.all())


@pytest.mark.browser
def test_in_the_plane_better_is_left_and_the_ellipse_is_one_standard_deviation(shown, made):
    with shown() as tab:
        assert "Mean queueing delay [ms] (← better)" in chosen(tab, kind="plane")
        found = tab.evaluate(
            """document.getElementById("explorer").view.data("points")
                 .filter((row) => row.kind === "ellipse" && row.combination === 0).map((row) => row.y)"""
        )
    # On its box: the ellipse's extent in each direction is twice the standard deviation of the runs.
    flows = pl.read_parquet(made[1] / "flows.parquet").filter(pl.col("combination") == 0)
    runs = flows.group_by("run").agg(pl.col("goodput_bps").mean())["goodput_bps"]
    assert (max(found) - min(found)) / 2 == pytest.approx(statistics.stdev(runs) / 1e6, rel=0.01)


@pytest.mark.browser
def test_tables_are_sorted_searched_paged_and_taken_away(shown):
    def column(number):
        return table.locator(f"tbody tr > :nth-child({number + 1})").all_text_contents()

    with shown() as tab:
        table = tab.locator("table[data-name='small-results']")
        wait_until(tab, "'equipped' in document.querySelector(\"table[data-name='small-results']\").dataset")
        around = tab.locator(".dt-container").filter(has=table)
        heads = table.locator("thead tr").first.locator("th")
        delay = [text.strip() for text in heads.all_text_contents()].index("delay")
        assert len(column(0)) == 15
        around.locator(".dt-length select").select_option("-1")
        upwards = ["5ms"] * 8 + ["10ms"] * 8 + ["20ms"] * 8
        for wanted in (upwards, upwards[::-1]):
            heads.nth(delay).locator(".dt-column-order").dispatch_event("click")
            tab.wait_for_timeout(500)
            assert column(delay) == wanted
        around.locator("input[type=search]").fill("4mbps next to")
        tab.wait_for_timeout(500)
        assert len(column(0)) == 6 and all("(next to " in text for text in column(0))
        assert "of 6" in around.locator(".dt-info").inner_text()
        saved = []
        for name in ("Markdown", "LaTeX"):
            with tab.expect_download() as download:
                around.get_by_role("button", name=name).click()
            saved.append(Path(download.value.path()).read_text())
    markdown, latex = saved
    assert len(markdown.splitlines()) == 8
    assert latex.count(r"\\") == 7 and r"\begin{tabular}{ll" in latex and "$\\pm$" in latex


@pytest.mark.browser
def test_the_toolbox_hides_and_renames_variants_everywhere(shown):
    with shown("#overview?hide=TcpNewReno%2BTcpCubic&name+TcpCubic=Mine") as tab:
        assert tab.locator(".card tr[data-variant='TcpNewReno+TcpCubic']").get_attribute("hidden") is not None
        assert tab.locator(".card tr[data-variant='TcpCubic']").get_attribute("hidden") is None
        names = tab.locator(".card th[scope=row] > span:first-child").all_text_contents()
        assert "Mine" in names and "TcpCubic" not in names
        drawings = [
            " ".join(each.locator("svg.marks text").all_text_contents()) for each in tab.locator(".chart").all()
        ]
        assert sum(map(bool, drawings)) >= 3
        assert not any("TcpCubic" in text for text in drawings)
