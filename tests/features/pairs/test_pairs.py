# SPDX-License-Identifier: MIT
"""Pairs: shares, harm, ranks and the frontier, compared with hand calculations, SciPy, a search, and FlowMonitor."""

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from scipy.stats import rankdata

import tcpsweep
from tcpsweep.core.report import sweep_page
from tcpsweep.core.statistics import ranks
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import sweep_record
from tcpsweep.features.pairs import pair_figures, pair_frontier, pair_ranking, pair_record, pair_tables
from tcpsweep.registry import report
from tests.core.figures import svg_texts
from tests.support import cell_numbers, synthetic
from tests.support.chromium import opened, wait_until

VARIANTS = ["TcpCubic", "TcpBbr", "TcpVegas"]
STRENGTH = dict(zip(VARIANTS, (2, 3, 1), strict=True))
TEXT = Path(__file__).parent.joinpath("sweeps", "pairs.yaml").read_text()


def strengths(row, run):
    """Goodput by strength in a mix, half each among one's own; alone all of it, and a little by the run."""
    turns = row["variant"].split("+")
    if "none" in turns or row["flows"] == 1:
        return [6e6 + run * 1e4] * row["flows"]
    own = [STRENGTH[turns[flow % len(turns)]] + (run / 10 if flow else 0) for flow in range(row["flows"])]
    return [6e6 * each / sum(own) for each in own]


def share(one, other, run):
    """What `strengths` gives to one of a mix, by its turn; among its own, by that in its first mix."""
    first = VARIANTS.index(one) < VARIANTS.index(other) or one == other == VARIANTS[0]
    own, its = STRENGTH[one] + (0 if first else run / 10), STRENGTH[other] + (run / 10 if first else 0)
    return own / (own + its)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("pairs"))
        folder = synthetic.sweep(TEXT, strengths)
        yield tcpsweep.open(folder.absolute())


def row_of(opened, one, other, measure, delay_s=0.01):
    rows = opened.table("pairs").filter(variant=one, beside=other, measure=measure, delay_s=delay_s)
    return rows.collect().row(0, named=True)


def test_shares_and_harm_of_each_pair_by_hand(swept):
    runs = range(1, 6)
    for one, other in itertools.product(VARIANTS, repeat=2):
        row = row_of(swept, one, other, "share")
        assert row["mean"] == pytest.approx(np.mean([share(one, other, run) for run in runs]), rel=1e-3)
        assert row["low"] < row["mean"] < row["high"]
        harm = row_of(swept, one, other, "harm_goodput")  # Ware et al. 2019: (alone - in competition) / alone
        alone = [6e6 + run * 1e4 for run in runs]
        left = [share(other, one, run) if one != other else 0.5 for run in runs]
        done = [(x - 6e6 * part) / x for x, part in zip(alone, left, strict=True)]
        assert harm["mean"] == pytest.approx(np.mean(done), rel=1e-3)
        assert harm["distinct_runs"] == harm["runs"] == 5
    both = [row_of(swept, *pair, "share")["mean"] for pair in (("TcpCubic", "TcpBbr"), ("TcpBbr", "TcpCubic"))]
    assert sum(both) == pytest.approx(1)


def test_the_other_tables_know_of_the_variants_alone(swept):
    assert set(swept.flows.collect()["variant"]) == set(VARIANTS)
    assert swept.record.counted() == "6 combinations and 14 for pairs"
    assert swept.table("harm").collect()["victim"].n_unique() == 3
    columns = swept.table("pairs").collect_schema().names()
    assert columns[:5] == ["combination", "delay_s", "variant", "beside", "measure"]
    for name in ("pairs", "ranking", "frontier"):  # networks in the file's order
        places = swept.table(name).drop_nulls("combination").collect()["delay_s"].unique(maintain_order=True)
        assert places.to_list() == [0.01, 0.02], name


def test_the_ranking_of_what_never_changes_its_order_is_certain(swept):
    table = swept.table("ranking").collect()
    for by, order in (("share", "TcpBbr TcpCubic TcpVegas"), ("harm", "TcpVegas TcpCubic TcpBbr")):
        for rows in (table.filter(by=by, delay_s=0.01), table.filter(pl.col("combination").is_null(), by=by)):
            assert rows["variant"].to_list() == order.split()
            assert rows["rank"].to_list() == rows["rank_low"].to_list() == rows["rank_high"].to_list() == [1, 2, 3]
            assert rows["first"].to_list() == pytest.approx([1, 0, 0])
    bbr = table.filter(by="least_share", variant="TcpBbr", delay_s=0.01).row(0, named=True)
    others = [np.mean([share("TcpBbr", other, run) for run in range(1, 6)]) for other in ("TcpCubic", "TcpVegas")]
    assert bbr["score"] == pytest.approx(min(others), rel=1e-3)


def made_runs(values):
    """Runs in the form of `pairs.by_run`: values by network, run, variant, and competing variant."""
    rows = [
        {"network": network, "combination": 10 * network + i, "variant": f"V{i}", "beside": f"V{j}"}
        | {"measure": measure, "run": run, "digest": f"{run}", "value": values[network, run, i, j], "steady": True}
        for measure in ("share", "harm_goodput")
        for network, run, i, j in np.ndindex(values.shape)
    ]
    return pl.DataFrame(rows, schema_overrides={"value": pl.Float64}).with_columns(pl.col("value").fill_nan(None))


def test_ranks_and_their_intervals_against_scipy_and_every_resample():
    values = np.random.default_rng(5).normal(size=(2, 5, 4, 4)).round(1)
    table = pair_ranking.table(made_runs(values), [f"V{i}" for i in range(4)])
    off = ~np.eye(4, dtype=bool)

    def mean_ranks(chosen):
        scores = [np.where(off, of.mean(axis=0), 0).sum(axis=1) / 3 for of in values[:, chosen]]
        return np.mean([rankdata(np.round(score, 12)) for score in scores], axis=0)

    rows = table.filter(pl.col("combination").is_null(), by="harm").sort("variant")
    assert rows["rank"].to_list() == mean_ranks(list(range(5))).tolist()
    every = np.array([mean_ranks(list(chosen)) for chosen in itertools.product(range(5), repeat=5)])
    first = (every == every.min(axis=1, keepdims=True)).astype(float)
    assert rows["first"].to_list() == pytest.approx((first / first.sum(axis=1, keepdims=True)).mean(axis=0).tolist())
    for row, found in zip(rows.iter_rows(named=True), every.T, strict=True):
        # The expanded interval of 5 values leaves out 0.0010 at either end: erfc(sqrt(5 / 8) * 2.7764) / 2.
        tail = 0.000956
        low, high = np.quantile(found, [tail, 1 - tail], method="inverted_cdf")
        assert (row["rank_low"], row["rank_high"]) == (low, high)
    # How far the mean harm to each other variant is from its harm to itself, by hand.
    fair = table.filter(pl.col("combination").is_null(), by="fair").sort("variant")["score"].to_list()
    mean = values.mean(axis=1)
    apart = [np.abs(of - np.diagonal(of)) for of in mean]
    assert fair == pytest.approx(np.mean([np.where(off, of, 0).sum(axis=1) / 3 for of in apart], axis=0))
    # Equal values share ranks, and rounding tells nothing.
    values = np.array([[3.0, 1, 2, 1 + 1e-12], [0, 0, 5, -1]])
    assert ranks.shared_ranks(values).tolist() == rankdata(values.round(9), axis=1).tolist()


def test_variants_without_results_are_left_out_and_so_are_runs_that_are_not_whole():
    values = np.random.default_rng(1).uniform(size=(1, 6, 4, 4))
    values[:, :, 3, :] = values[:, :, :, 3] = np.nan  # it ends every run
    values[0, 2, 0, 1] = np.nan
    table = pair_ranking.table(made_runs(values), [f"V{i}" for i in range(4)])
    assert set(table["variant"]) == {"V0", "V1", "V2"}
    assert set(table["runs"]) == {5}
    few = pair_ranking.table(made_runs(values[:, :4]), [f"V{i}" for i in range(4)])
    assert few["rank"].null_count() == 0 and few["rank_low"].null_count() == few["first"].null_count() == few.height


def on_frontier(points):
    """Whether no other point is at least as good and somewhere better, by definition; less is better."""
    return [not ((points <= own).all(axis=1) & (points < own).any(axis=1)).any() for own in points]


def test_the_frontier_against_a_plain_search():
    for points in np.random.default_rng(3).integers(0, 4, size=(200, 7, 3)).astype(float):
        assert ranks.frontier(points).tolist() == on_frontier(points)


def test_the_probability_of_lying_on_the_frontier_counts_every_resample():
    generator = np.random.default_rng(7)
    values = generator.normal([[3, 0.05, 0.01], [2.9, 0.04, 0.012], [2, 0.05, 0.02]], [0.2, 0.01, 0.005], (5, 3, 3))
    combinations = [{"variant": name, "flows": 2} for name in ("A", "B", "C", "A+B", "A+C", "B+C")]
    sweep = synthetic.record(combinations=combinations).with_question(pair_record.KEY, ["A", "B", "C"])
    rows = [
        {"combination": i, "flow_variant": "ABC"[i], "metric": metric, "run": run, "value": values[run, i, at]}
        for at, metric in enumerate(("goodput_bps", "queueing_delay_p95_s", "congestion_loss"))
        for run, i in np.ndindex(5, 3)
    ]
    table = pair_frontier.table(sweep, pl.LazyFrame(rows))
    signed = values * [-1, 1, 1]
    every = [on_frontier(signed[list(chosen)].mean(axis=0)) for chosen in itertools.product(range(5), repeat=5)]
    assert table["probability"].to_list() == pytest.approx(np.mean(every, axis=0).tolist())
    assert table["on_frontier"].to_list() == on_frontier(signed.mean(axis=0))
    assert table["delay_metric"].unique().to_list() == ["queueing_delay_p95_s"]


@pytest.fixture
def page_file(swept, monkeypatch):
    """The file of the sweep's page."""
    monkeypatch.chdir(swept.root)
    (swept.folder / "figures.json").write_text("[]")
    sweep_page.write(swept.folder.relative_to(swept.root), "small.html", report)
    return swept.root / "small.html"


def test_the_report_shows_matrices_ranking_and_frontier(page_file):
    page = page_file.read_text()
    assert 'id="pairs"' in page and "Mean of 2 network conditions" in page
    assert 'title="BBR next to Vegas: 0.7' in page
    assert 'aria-label="rank 1 [1, 1]; first in 100% of the resamples"' in page
    assert "6, and 14 for pairs" in page


@pytest.mark.browser
def test_the_report_draws_a_mark_of_the_frontier_for_each_variant(swept, page_file, browser):
    with opened(browser, page_file, "#frontier") as tab:
        wait_until(tab, "document.getElementById('frontier-1').dataset.drawn")
        assert tab.locator("#frontier-1 .mark-symbol.role-mark path").count() == len(pair_record.of(swept.record))


def test_the_static_figures_lay_no_text_over_another(swept):
    tables = {name: swept.table(name).collect() for name in ("pairs", "ranking", "frontier")}
    results = synthetic.results(swept.record, **tables)
    found = {figure.name: figure for figure in pair_figures.figures(results, 336)}
    assert {"pairs-share-0", "pairs-harm_goodput-2", "pairs-ranking", "pairs-frontier-1"} <= set(found)
    for figure in found.values():
        assert svg_texts.overlaps(figure.chart, 336) == ([], []), figure.name
    assert found["pairs-share-0"].title == "Share of the goodput, mean of 2 network conditions"


def received_bytes(root, sweep, cell):
    """What FlowMonitor counted at the receiver of each flow's data, from ns-3's own file."""
    known = pl.read_parquet(root / sweep.parquet(cell) / "flow_monitor.parquet").filter(pl.col("direction") == "data")
    stats = ElementTree.parse(root / layout.raw(cell) / "flow.xml").find("FlowStats")
    counted = {int(flow.get("flowId")): int(flow.get("rxBytes")) for flow in stats}
    return [counted[number] for number in known.sort("flow")["flow_id"]]


def lone(project, variant):
    """The simulations of a variant's only flow, by the run."""
    names = ({"variant": variant, "flows": 1}, {"variant": f"none+{variant}"})
    cells = next(found for wanted in names if (found := cell_numbers.cells(project, "small", **wanted)))
    return [cells[run] for run in (1, 2)]


@pytest.mark.long
def test_matrices_of_real_cells_against_flow_monitors_bytes(project):
    fixed = "{bandwidth: 2Mbps, delay: 5ms, queue: 20p, duration: 5s, warmup: 0s, start_jitter: 0s}"
    text = f"sweep: small\nscenario: dumbbell\npairs: [TcpCubic, TcpBbr]\nruns: [1, 2]\nfixed: {fixed}\n"
    ran = project.run(project.tables(), sweep=text + "capture: {keep_raw: true}\n")
    assert ran.status == 0, ran.text
    assert "2 combinations and 3 for pairs" in ran.text
    sweep = sweep_record.read(project / "results/sweeps/small")
    table = pl.read_parquet(project / "results/sweeps/small/pairs.parquet").filter(measure=pair_tables.SHARE)
    for name, one, flow in (("TcpCubic+TcpBbr", "TcpCubic", 0), ("TcpBbr", "TcpBbr", 1)):
        runs = [run for run in sweep.cells if sweep.combinations[run.combination]["variant"] == name]
        data = [received_bytes(project, sweep, run.cell) for run in runs]
        shares = [of_run[flow] / sum(of_run) for of_run in data]
        row = table.filter(variant=one, beside="TcpBbr").row(0, named=True)
        # The sinks' bytes are the network's bytes without headers and duplicates.
        assert row["mean"] == pytest.approx(np.mean(shares), abs=0.005)
    # The first sentence, from the receivers' bytes: harm to the other, less the other's harm to itself.
    own = {name: cell_numbers.cells(project, "small", variant=name, flows=2) for name in ("TcpCubic", "TcpBbr")}
    mixed = cell_numbers.cells(project, "small", variant="TcpCubic+TcpBbr")
    said = cell_numbers.said(project / "results/sweeps/small")
    assert said.startswith("No variant is shown to be the fairest. "), said
    for place, (one, other) in enumerate((("TcpCubic", "TcpBbr"), ("TcpBbr", "TcpCubic"))):
        apart = [
            np.mean([cell_numbers.goodput_bps(own[other][run], 0, 5, flow) for flow in (0, 1)])
            - cell_numbers.goodput_bps(mixed[run], 0, 5, 1 - place)
            for run in (1, 2)
        ]
        alone = [sum(cell_numbers.goodput_bps(cell, 0, 5, flow) for flow in (0, 1)) for cell in lone(project, other)]
        more = abs(np.mean([far / of for far, of in zip(apart, alone, strict=True)]))
        (told,) = re.findall(rf"([0-9.]+) \({one}\)", said)
        assert float(told) == pytest.approx(more, abs=0.0051)
