# SPDX-License-Identifier: MIT
"""The tables of links, and which queue is drawn, where a network has several."""

import re
from pathlib import Path

import polars as pl
import pytest

import tcpsweep
from tcpsweep.core.analysis import summaries
from tcpsweep.core.figures import drawn_queue
from tcpsweep.core.report import cell_metric_tables
from tcpsweep.core.report.sections import networks
from tcpsweep.core.words import metrics, table_columns
from tests.support import synthetic

USED = {"first": (0.5, 0.9), "second": (0.8, 0.7)}  # utilisation in two runs


def measures(run):
    """The rows of a cell of two links in a row, which bind in one run each."""
    rows = [(None, None, "utilisation", max(used[run] for used in USED.values()))]
    for link, used in USED.items():
        found = {"utilisation": used[run], "binds": float(used[run] == rows[0][3]), "random_loss": 0.0}
        found |= {"congestion_loss": used[run] / 100, "network_queueing_delay_mean_s": used[run] / 10}
        rows += [(link, "forward", name, value) for name, value in found.items()]
    schema = {name: table_columns.schema("measures")[name] for name in ("link", "direction", "metric", "value")}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        flow=pl.lit(None, pl.Int32), variant=None, traffic=None, bottleneck=pl.lit(None, pl.String)
    )


def of_runs():
    """As `cell_tables.measure` has them."""
    own = {name: pl.lit(0, pl.Int64) for name in ("combination", "run")}
    parts = [measures(run).with_columns(**own, digest=pl.lit(str(run))) for run in (0, 1)]
    both = pl.concat(parts).with_columns(run=pl.col("digest").cast(pl.Int64) + 1)
    return both.with_columns(pl.col("metric").cast(pl.Enum(list(metrics.METRICS))))


def test_a_links_metrics_are_means_over_runs():
    found = summaries.of_links(of_runs())
    means = {(row["link"], row["metric"]): row["mean"] for row in found.iter_rows(named=True)}
    assert means["first", "utilisation"] == 0.7
    assert (means["first", "binds"], means["second", "binds"]) == (0.5, 0.5)
    assert set(found["runs"]) == {2}
    assert "flow_variant" not in found.columns
    # Networks whose links have no names have no rows.
    none = summaries.of_links(of_runs().filter(pl.col("link").is_null()))
    assert none.is_empty()
    assert {"combination", "link", "direction", "metric", "mean", "low", "high", "unit"} <= set(none.columns)
    assert networks.table_of_links(synthetic.record(), none).rows == []


def test_the_report_says_how_each_link_was_used_and_of_an_only_link_not_that_it_binds():
    row = {"variant": "TcpCubic", "delay": "10ms"}
    record = synthetic.record(combinations=[row], axes={"delay": ["10ms"]})
    found = networks.table_of_links(record, summaries.of_links(of_runs()))
    names = ("binds", "utilisation", "network_queueing_delay_mean_s", "congestion_loss")  # no random loss
    assert [title for title, _ in found.metrics] == [metrics.METRICS[name].title for name in names]
    assert [(each.link, each.direction) for each in found.rows] == [(name, "forward") for name in USED]
    assert found.rows[0].means[1].startswith("0.7")
    assert found.more == 0
    one = of_runs().filter(pl.col("link") == "first")
    assert (
        networks.table_of_links(record, summaries.of_links(one)).metrics[0][0] == metrics.METRICS["utilisation"].title
    )
    assert cell_metric_tables.links(one).rows[0].title == metrics.METRICS["utilisation"].title


def test_a_cells_page_has_its_links_beside_each_other_and_draws_the_queue_of_the_one_that_binds():
    found = cell_metric_tables.links(measures(0))
    assert found.names == ["first", "second"]
    assert {row.title: row.texts for row in found.rows}["Link utilisation"] == ["0.5", "0.8"]
    (of_network,) = cell_metric_tables.network(measures(0), None)
    assert of_network.texts == ["0.8"]
    one = measures(0).filter(pl.col("link").is_null())
    assert cell_metric_tables.links(one).rows == []
    queue = pl.DataFrame(
        {"link": ["first", "first", "second"], "direction": ["forward", "reverse", "forward"], "place": [0, 1, 2]}
    )
    drawn = [queue.filter(drawn_queue.is_drawn(each))["place"].to_list() for each in (measures(0), measures(1), one)]
    assert drawn == [[2], [0], [0, 2]]


@pytest.mark.long
def test_a_sweep_of_several_links_shows_them(project):
    ran = project.run(sweep=Path(__file__).with_name("two.yaml").read_text(), name="two.yaml")
    assert ran.status == 0, ran.text
    opened = tcpsweep.open("two", project.folder)
    found = opened.links.filter(pl.col("metric") == "binds").collect()
    of_second = {(4_000_000, "second"): 1, (20_000_000, "first"): 1}
    for rate, link, direction, binds in found.select("links_second_bandwidth_bps", "link", "direction", "mean").rows():
        assert binds == (direction == "forward" and of_second.get((rate, link), 0))
    assert set(opened.queue.select("link", "direction").unique().collect().rows()) == {
        *(("first", "forward"), ("second", "forward"), ("second", "reverse"))
    }
    report = (project / "reports" / "two.html").read_text()
    assert 'data-name="two-links"' in report
    assert "2 of 2 simulations passed all their checks" in report
    for page in (project / "reports" / "two_files").glob("*.html"):
        assert re.search("Queue of (first|second)", page.read_text())
