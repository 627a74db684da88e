# SPDX-License-Identifier: MIT
"""The report's interactive figure and tables: their data, and users' actions in a browser."""

import contextlib
import statistics
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.report.sections import explorer
from tcpsweep.sweep import sweep_record
from tcpsweep.words import markup
from tests.report.made_pages import written
from tests.support.browser import look

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


def test_the_plane_has_a_point_for_each_run_and_variant(data):
    clouds = data["clouds"]
    assert clouds["delay"] == "queueing_delay_mean_s"
    assert len(clouds["rows"]) == 6 * 3 * (1 + 1 + 2)
    assert {row[4] for row in clouds["rows"]} == {10.0}  # ms


def test_a_sweep_without_axes_has_no_interactive_figure(made):
    _, folder = made
    sweep = sweep_record.read(folder)
    none = replace(sweep, axes={}, combinations=sweep.combinations[:1])
    assert explorer.data_of_figures(none, pl.DataFrame(), pl.DataFrame(), []) is None


def test_latex_has_a_column_for_each_head_and_no_sign_of_its_own(made):
    _, folder = made
    text = (folder / "summary.tex").read_text()
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

_TEXTS = "[...explorer.querySelectorAll('.chart svg text')].map((text) => text.textContent)"


@pytest.mark.browser
def test_controls_change_the_figure(made, browser):
    here, _ = made
    script = f"""
    const seen = {{ first: {_TEXTS}, hidden: explorer.hidden }};
    await choose("metric", "jain");
    seen.jain = {_TEXTS};
    await choose("axis", "bandwidth");
    seen.bandwidth = {_TEXTS};
    await choose("columns", "delay");
    seen.columns = {_TEXTS};
    await choose("columns", "");
    await choose("kind", "heat map");
    seen.heat = {_TEXTS};
    seen.rects = explorer.querySelectorAll(".chart svg .mark-rect path").length;
    await choose("kind", "plane");
    seen.plane = {_TEXTS};
    return seen;
    """
    seen = look(browser, here / PAGE, script)
    assert not seen["hidden"]
    # The axis with most values, and a panel for each of the other's.
    assert {"delay [ms]", "bandwidth 2Mbps", "TcpCubic in TcpNewReno+TcpCubic"} <= set(seen["first"])
    assert any(text.startswith("Goodput per flow [Mbit/s]") for text in seen["first"])
    assert any(text.startswith("Jain's fairness index") for text in seen["jain"])
    assert "bandwidth [Mbit/s]" in seen["bandwidth"]
    assert {"delay 5ms", "delay 20ms"} <= set(seen["columns"])
    assert "4Mbps, 20ms" in seen["heat"]
    assert {"1"} <= set(seen["heat"])  # the values stand in the boxes
    assert seen["rects"] >= 3 * 6  # Jain's index is the network's: a mix has one
    assert "Mean queueing delay [ms] (← better)" in seen["plane"]


@pytest.mark.browser
def test_an_axis_that_determines_another_has_the_panels_at_first(here, browser):
    """Panels for ``stack``, with ``corrections`` held at one value, would lack one of the two stacks."""
    head, _, tail = SWEEP.partition("grid:\n")
    grids = ("stack: [ns-3], corrections: [none, all]", "stack: [linux]")
    groups = "".join(f"- {{variant: [TcpCubic, TcpBbr], delay: [5ms, 10ms, 20ms], {grid}}}\n" for grid in grids)
    fixed = tail[tail.index("repetitions") :].replace("{", "{bandwidth: 2Mbps, ")
    written(f"{head}grid:\n{groups}{fixed}", PAGE, rates)
    texts = look(browser, here / PAGE, f"return {_TEXTS};")
    assert {"corrections all", "corrections default", "corrections none"} <= set(texts)


@pytest.mark.browser
def test_a_click_on_a_point_leads_to_its_cells(made, browser):
    here, folder = made
    script = """
    const marks = [...explorer.querySelectorAll(".chart svg .mark-symbol path")];
    const mark = marks.find((path) => path.__data__.datum.combination !== undefined);
    const box = mark.getBoundingClientRect();
    const at = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    for (const kind of ["mousedown", "mouseup", "click"]) mark.dispatchEvent(new MouseEvent(kind, at));
    return [...explorer.querySelectorAll(".details a")].map((link) => [link.textContent, link.getAttribute("href")]);
    """
    links = look(browser, here / PAGE, script)
    assert [text for text, _ in links] == ["run 1", "run 2", "run 3"]
    cells = {cell for cell, _, _ in sweep_record.read(folder).cells}
    assert all(Path(link).stem in cells for _, link in links)


@pytest.mark.browser
def test_the_ellipse_is_one_standard_deviation(made, browser):
    """On its box: the ellipse's extent in each direction is twice the standard deviation of the runs."""
    here, folder = made
    script = """
    await choose("kind", "plane");
    const rows = explorer.view.data("source_0");
    return rows.filter((row) => row.kind === "ellipse" && row.combination === 0).map((row) => row.rate);
    """
    found = look(browser, here / PAGE, script)
    flows = pl.read_parquet(folder / "flows.parquet").filter(pl.col("combination") == 0)
    runs = flows.group_by("run").agg(pl.col("goodput_bps").mean())["goodput_bps"]
    assert (max(found) - min(found)) / 2 == pytest.approx(statistics.stdev(runs) / 1e6, rel=0.01)


@pytest.mark.browser
def test_tables_are_sorted_searched_paged_and_taken_away(made, browser):
    here, _ = made
    script = """
    const table = document.querySelector('table[data-name="small-results"]');
    await until(() => table.dataset.equipped !== undefined);
    const around = table.closest(".dt-container");
    const column = (number) => [...table.tBodies[0].rows].map((row) => row.cells[number].textContent);
    const heads = () => [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    const delay = heads().indexOf("delay"), seen = { page: column(0).length };
    const menu = around.querySelector(".dt-length select");
    menu.value = -1;
    menu.dispatchEvent(new Event("change"));
    const rest = () => new Promise((next) => setTimeout(next, 500));
    const sort = () => { table.tHead.rows[0].cells[delay].querySelector(".dt-column-order").click(); return rest(); };
    await sort();
    seen.upwards = column(delay);
    await sort();
    seen.downwards = column(delay);
    const search = around.querySelector("input[type=search]");
    search.value = "4mbps newreno+";
    search.dispatchEvent(new Event("input"));
    await rest();
    seen.left = column(0);
    seen.info = around.querySelector(".dt-info").textContent;
    const saved = [];
    URL.createObjectURL = (blob) => { saved.push(blob.text()); return "#"; };
    for (const name of ["Markdown", "LaTeX"]) {
      [...around.querySelectorAll("button")].find((button) => button.textContent === name).click();
    }
    seen.saved = await Promise.all(saved);
    return seen;
    """
    seen = look(browser, here / PAGE, script)
    assert seen["page"] == 15
    assert seen["upwards"] == ["5ms"] * 8 + ["10ms"] * 8 + ["20ms"] * 8
    assert seen["downwards"] == seen["upwards"][::-1]
    assert len(seen["left"]) == 6 and all("in TcpNewReno+TcpCubic" in text for text in seen["left"])
    assert "of 6" in seen["info"]
    markdown, latex = seen["saved"]
    assert len(markdown.splitlines()) == 8
    assert latex.count(r"\\") == 7 and r"\begin{tabular}{ll" in latex and "$\\pm$" in latex


@pytest.mark.browser
def test_the_choice_is_in_the_address_and_survives_a_reload(made, browser):
    here, _ = made
    script = """
    await choose("metric", "jain");
    await choose("axis", "bandwidth");
    return location.hash;
    """
    address = look(browser, here / PAGE, script)
    assert address.startswith("#explore?") and "metric=jain" in address and "axis=bandwidth" in address
    again = "return [...explorer.querySelectorAll('select')].map((select) => [select.name, select.value]);"
    chosen = dict(look(browser, here / PAGE, again, hash=address))
    assert (chosen["metric"], chosen["axis"], chosen["kind"]) == ("jain", "bandwidth", "lines")


@pytest.mark.browser
def test_the_toolbox_hides_and_renames_variants_everywhere(made, browser):
    here, _ = made
    script = """
    const drawings = [...document.querySelectorAll(".chart")];
    await until(() => drawings.every((each) => each.dataset.drawn));
    const texts = (each) => [...each.querySelectorAll("svg.marks text")].map((text) => text.textContent).join(" ");
    return {
      texts: drawings.map(texts),
      card: [...document.querySelectorAll(".card tr[data-variant]")].map((row) => [row.dataset.variant, row.hidden]),
      names: [...document.querySelectorAll(".card th[scope=row] > span:first-child")].map((name) => name.textContent),
    };
    """
    address = "#overview?hide=TcpNewReno%2BTcpCubic&name+TcpCubic=Mine"
    seen = look(browser, here / PAGE, script, hash=address)
    assert dict(seen["card"])["TcpNewReno+TcpCubic"] is True
    assert dict(seen["card"])["TcpCubic"] is False
    assert "Mine" in seen["names"] and "TcpCubic" not in seen["names"]
    shown = [text for text in seen["texts"] if text]
    assert len(shown) >= 3
    assert not any("TcpCubic" in text for text in shown)
