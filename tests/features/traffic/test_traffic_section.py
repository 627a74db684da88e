# SPDX-License-Identifier: MIT
"""Traffic in the report: tables of its groups, and the first line of the overview."""

import polars as pl
import pytest

from tcpsweep.core.analysis import traffic_groups
from tcpsweep.features.traffic import traffic_findings, traffic_section
from tests.core.report.made_pages import said
from tests.support import made_traffic, synthetic

VARIANTS, LOADS = ["TcpCubic", "TcpDctcp"], ["0.2", "0.8"]
ROWS = [{"variant": variant, "network.traffic.short.load": load} for variant in VARIANTS for load in LOADS]
AXES = {"variant": VARIANTS, "network.traffic.short.load": LOADS}


@pytest.fixture
def sweep(monkeypatch):
    monkeypatch.setattr(traffic_groups, "kinds", lambda sweep: made_traffic.KINDS)
    return synthetic.record(combinations=ROWS, axes=AXES, baseline="TcpCubic")


def card_of(sweep, traffic, effects=None):
    """The card of a sweep in which no flow was measured."""
    summary = pl.DataFrame(schema={"flow_variant": pl.String})
    tables = {"summary": summary, "traffic": traffic, "traffic_effects": pl.DataFrame() if effects is None else effects}
    return traffic_section.card(synthetic.results(sweep, **tables))


def test_each_group_has_a_table_that_begins_with_its_kinds_metrics(sweep):
    short, answers = traffic_section.groups_with_tables(sweep, made_traffic.table(4), [])
    assert (short.name, short.kind, answers.kind) == ("short", "arrivals", "incast")
    assert [title for title, _ in short.table.metrics] == [
        *("Mean slowdown", "Slowdown, 50th percentile", "Slowdown, 99th percentile", "Unfinished")
    ]
    assert answers.table.metrics[0] == ("Goodput of rounds", "Mbit/s")
    assert [row.variant for row in short.table.rows] == ["TcpCubic", "TcpCubic", "TcpDctcp", "TcpDctcp"]
    assert short.table.rows[1].axes == [("0.8", 0.8)]
    # A percentile that some runs' flows did not reach is infinite.
    assert short.table.rows[0].means[:3:2] == [("2.00", "[1.80, 2.20]"), ("∞", "in 2 of 3 runs")]


def test_the_overview_leads_with_the_ranges_of_each_group(sweep):
    card = card_of(sweep, made_traffic.table(4, lambda number: 1.0 + number))
    titles = [title for _, title, _ in card.metrics]
    kinds = ("mean slowdown", "slowdown, 50th percentile", "slowdown, 99th percentile")
    assert titles[:3] == [f"short: {kind}" for kind in kinds]
    assert titles[4] == "answers: goodput of rounds"
    (_, cubic), (_, dctcp) = card.means
    assert cubic[0].text == "2–4" and dctcp[0].text == "6–8"
    assert cubic[0].strip.span[1] < dctcp[0].strip.span[0]
    assert cubic[2].text == "∞"
    assert cubic[4].text == "400–800 Mbit/s"
    assert len(titles) <= traffic_section.MOST_COLUMNS


def test_figures_begin_with_the_groups_own_axis_and_without_traffic_there_are_none(sweep):
    short, answers = traffic_section.data_of_traffic(sweep, made_traffic.table(4), [])["groups"]
    assert short["axis"] == answers["axis"] == "network.traffic.short.load"
    assert short["points"]["slowdown_p99_above_1MB"][0] == [0, None, None, None, 3, 2]
    assert not any(name.endswith("_1MB") for name in short["metrics"])
    empty = made_traffic.table(1).clear()
    assert traffic_section.groups_with_tables(sweep, empty, []) == []
    assert traffic_section.data_of_traffic(sweep, empty, []) is None


def test_findings_are_of_the_groups_in_turn_and_lead_to_their_figures(sweep):
    found = traffic_findings.of_traffic(sweep, made_traffic.effects())
    assert said(found[0]).startswith("short: TcpDctcp slows flows 50 % less than TcpCubic")
    assert said(found[1]).startswith("answers: TcpDctcp gets 50 % less goodput in rounds than TcpCubic")
    assert found[0].link == "#traffic?traffic+group=short&traffic+metric=slowdown_mean"


def of_flows(**values):
    """The table `effects` of a sweep whose goodput has one effect in each network."""
    row = {"metric": "goodput_bps", "variant": "TcpDctcp", "reference": "TcpCubic", "mix": None, "finding": "higher"}
    row |= {"mean": 1.2e6, "reference_mean": 1e6, "difference": 2e5, "effect": 0.2}
    row |= {"smallest_share": 0.02, "smallest_value": 0.0, "smallest_origin": 0.0} | values
    both = [row | {"combination": number, "reference_combination": number - 2} for number in (2, 3)]
    return pl.DataFrame(both, schema_overrides={"mix": pl.String, "mean": pl.Float64})


def told(sweep, effects, on_traffic):
    return [said(found) for found in traffic_findings.together(sweep, effects, on_traffic)]


def test_flows_and_each_group_lead_a_finding_the_largest_first_and_untested_means_last(sweep):
    *groups, flows = told(sweep, of_flows(), made_traffic.effects())
    assert [each.partition(": ")[0] for each in groups] == ["short", "answers"]
    assert flows.startswith("TcpDctcp gets 20 % more goodput than TcpCubic")
    of_one = made_traffic.effects().filter(pl.col("traffic") == "short")
    assert told(sweep, of_flows(mean=1e7, effect=9.0), of_one)[1].startswith("short: ")
    without = synthetic.results(sweep, traffic_effects=made_traffic.effects().clear())
    assert traffic_findings.findings(without) is None
    untested = told(sweep, of_flows(finding="not steady", mean=1e7), made_traffic.effects())
    assert [each.endswith("not tested") for each in untested] == [False, False, True]


def test_that_no_comparison_of_flows_could_be_tested_is_said_only_beside_no_finding_of_traffic(sweep):
    without = of_flows(finding="not steady", mean=None)
    assert [each.partition(": ")[0] for each in told(sweep, without, made_traffic.effects())] == ["short", "answers"]
    same = made_traffic.effects().with_columns(finding=pl.lit("same"))
    *groups, flows = told(sweep, without, same)
    assert [each.partition(" was")[0] for each in groups] == [
        f"{name}: No relevant difference" for name in ("short", "answers")
    ]
    assert flows == "None of 2 comparisons of flows could be tested; the tables say why."


def test_where_variants_are_compared_the_overview_has_their_marks(sweep):
    table = made_traffic.table(4, lambda number: 1.0 if number < 2 else 0.5)
    card = card_of(sweep, table, made_traffic.effects())
    assert card.reference == "TcpCubic"
    (row,) = card.rows
    names = [name for name, *_ in card.metrics]
    assert row.cells[names.index("slowdown_mean")].counts == {"better": 2}
    assert row.cells[names.index("round_goodput_bps")].counts == {"worse": 2}
    assert [name for name, _ in card.means] == ["TcpCubic"]
