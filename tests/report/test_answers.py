# SPDX-License-Identifier: MIT
"""What the first screen answers, for each kind of question."""

import polars as pl
import pytest

from tcpsweep.analysis import pair_ranking, refinement, stacks
from tcpsweep.report.answers import answer, crossover, fairest, found_network, late, linux, means, topology
from tests.support import drawn_networks, synthetic
from tests.support.refined import DATA, refined, share
from tests.support.searched import at_hole


def test_refine_is_answered_with_the_crossover_its_band_and_a_drawing():
    sweep, looked_at = refined(share, DATA | {"grid": {"variant": ["TcpCubic", "TcpBbr"], "delay": ["5ms"]}})
    found = crossover.answer(sweep, looked_at, refinement.turns(sweep, looked_at))
    said = answer.plain(found.sentence)
    # The difference changes its sign at 7 Mbit/s (`refined.TURN`).
    assert said.startswith("The crossover in goodput per flow of TcpBbr and TcpCubic is at ")
    assert "Mbit/s (" in said and "TcpBbr has more above it" in said
    (row,) = found.charts[0].rows
    assert row.turns["bands"] and row.turns["marks"] and found.charts[0].ticks


def test_refine_over_several_networks_counts_them():
    sweep, looked_at = refined(share)
    found = crossover.answer(sweep, looked_at, refinement.turns(sweep, looked_at))
    assert answer.plain(found.sentence).endswith("in 2 of 2 network conditions.")
    assert [row.name for row in found.charts[0].rows] == ["delay 5ms", "delay 50ms"]


def test_search_is_answered_with_the_network_and_its_difference_in_fresh_runs():
    sweep, table = at_hole()
    found = found_network.answer(sweep, table)
    said = answer.plain(found.sentence)
    assert said.startswith("The worst network condition for goodput per flow of TcpBbr against TcpCubic is ")
    assert "in 5 fresh runs" in said and "[−8" in said
    left = 120 - len({run.cell for run in sweep.cells})
    assert found.note.startswith(f"{left} of 120 simulations are left: " if left else "")
    assert found_network._unspent(sweep.search, 115, is_found=True) == (
        "5 of 120 simulations are left: a check takes 10."
    )
    first = found.charts[0].rows[0]
    assert first.strip.whisker and first.strip.ring is not None
    assert first.name in said


def test_a_search_whose_finds_fail_tells_the_largest_of_its_fresh_runs():
    sweep, table = at_hole()
    from tcpsweep.analysis import search

    failed = table.with_columns(role=pl.when(pl.col("runs").is_not_null()).then(pl.lit(search.TRIED)).otherwise("role"))
    said = answer.plain(found_network.answer(sweep, failed).sentence)
    worst = failed["mean"].min()
    assert said.startswith("No find passed its check. ")
    assert f"−{abs(worst) * 100:.3g} %" in said


PAIR = ["A", "B", "C"]


def pair_table(harm):
    rows = [(0, one, other, "harm_goodput", 5, 5, 5, harm[one][other], None, None) for one in PAIR for other in PAIR]
    names = [
        "combination",
        "variant",
        "beside",
        "measure",
        "runs",
        "steady_runs",
        "distinct_runs",
        "mean",
        "low",
        "high",
    ]
    return pl.DataFrame(rows, schema=names, orient="row", schema_overrides={"low": pl.Float64, "high": pl.Float64})


def test_the_fairest_does_as_much_harm_as_the_others_do_to_themselves():
    # In competition with A, others lose as much as with themselves (0.5); B takes more, and C less.
    harm = {
        "A": {"A": 0.5, "B": 0.5, "C": 0.5},
        "B": {"A": 0.9, "B": 0.5, "C": 0.8},
        "C": {"A": 0.2, "B": 0.3, "C": 0.5},
    }
    found = fairest.answer(
        synthetic.record(pairs=PAIR), pair_table(harm), ranked(A=(0.0, 0.1), C=(0.2, 0.3), B=(0.3, 0.4))
    )
    assert [row.name for row in found.charts[0].rows] == ["A", "C", "B"]
    said = answer.plain(found.sentence)
    assert said == (
        "A is the fairest: its harm to the others' goodput differs by 0.05 [0.00, 0.10] from the harm that they do to "
        "themselves; next is C, by 0.25 [0.20, 0.30]."
    )
    apart = fairest.answer(
        synthetic.record(pairs=PAIR), pair_table(harm), ranked(A=(0.0, 0.1), C=(0.2, 0.3), B=(0.4, 0.5))
    )
    assert answer.plain(apart.sentence).endswith("; B is the least fair, by 0.45 [0.40, 0.50].")
    assert found.note.startswith("Fairest: ")


@pytest.mark.parametrize("ends", [{"A": (0.0, 0.25), "C": (0.2, 0.3), "B": (0.3, 0.4)}, {}])
def test_no_variant_is_the_fairest_unless_its_interval_excludes_the_next(ends):
    harm = {
        "A": {"A": 0.5, "B": 0.5, "C": 0.5},
        "B": {"A": 0.9, "B": 0.5, "C": 0.8},
        "C": {"A": 0.2, "B": 0.3, "C": 0.5},
    }
    said = answer.plain(fairest.answer(synthetic.record(pairs=PAIR), pair_table(harm), ranked(**ends)).sentence)
    begin = (
        "No variant is shown to be the fairest. Their harm to the others' goodput differs from the harm that these do "
        "to themselves by "
    )
    numbers = "0.12 [0.00, 0.25] (A), 0.25 [0.20, 0.30] (C) and 0.35 [0.30, 0.40] (B)."
    assert said == begin + (numbers if ends else "0.00 (A), 0.25 (C) and 0.35 (B).")


def ranked(**ends):
    """The rows of the table `ranking` for the distance, each score in the middle of its interval."""
    rows = [
        {"variant": one, "by": "fair", "networks": 1, "score": sum(own) / 2, "score_low": own[0], "score_high": own[1]}
        for one, own in ends.items()
    ]
    return pl.DataFrame(rows, schema=pair_ranking.COLUMNS)


def stack_row(combination, metric, ratio, finding):
    mean = None if ratio is None else ratio * 2e6
    return {"combination": combination, "metric": metric, "variant": "TcpCubic", "mix": None, "finding": finding} | {
        "mean": 2e6 * (ratio or 1.5),
        "reference_mean": 2e6,
        "difference": mean,
        "effect": (ratio or 1) - 1,
        "ratio": ratio,
        "ratio_low": ratio and ratio * 0.9,
        "ratio_high": ratio and ratio * 1.1,
        "smallest_share": 0.05,
        "smallest_value": 0.0,
        "runs_needed": None,
        "distinct_runs": 5,
    }


def test_two_stacks_are_answered_with_their_largest_difference_on_one_scale():
    sweep = synthetic.crossed(variant=["TcpCubic"], stack=["ns-3", "linux"])
    rows = [stack_row(1, "goodput_bps", 1.02, "same"), stack_row(1, "queueing_delay_mean_s", 1.4, "higher")]
    found = linux.answer(sweep, pl.DataFrame(rows))
    assert answer.plain(found.sentence) == (
        "Linux differs from ns-3 in 1 of 2 comparisons. "
        "The largest difference is in TcpCubic's mean queueing delay: 1.4 times that of ns-3."
    )
    one, other = found.charts
    assert one.axis == other.axis
    assert stacks.METRICS[:2] == ("goodput_bps", "queueing_delay_mean_s")


def test_two_stacks_that_could_not_be_tested_are_told_in_means():
    sweep = synthetic.crossed(variant=["TcpCubic"], stack=["ns-3", "linux"])
    found = linux.answer(
        sweep, pl.DataFrame([stack_row(1, "goodput_bps", None, "too few runs")], infer_schema_length=None)
    )
    said = answer.plain(found.sentence)
    assert said.startswith(
        "No comparison of Linux with ns-3 could be tested. In the means, TcpCubic's goodput per flow"
    )
    assert "1.5 times" in said


@pytest.fixture
def home():
    row, _ = drawn_networks.two_hops()
    return synthetic.record(scenario="network", combinations=[row])


def test_a_custom_topology_is_answered_with_its_links_and_groups(home):
    links = [
        (0, "first", "forward", "utilisation", 0.4),
        (0, "second", "forward", "utilisation", 0.97),
        (0, "second", "forward", "network_queueing_delay_mean_s", 0.041),
        (0, "first", "reverse", "utilisation", 0.02),
    ]
    flows = [(0, 1, "long", "TcpCubic", 3e6), (0, 1, "long", "TcpCubic", 4e6), (0, 1, "cross", "TcpCubic", 6e6)]
    found = topology.answer(
        home,
        pl.DataFrame(links, schema=["combination", "link", "direction", "metric", "mean"], orient="row"),
        pl.DataFrame(flows, schema=["combination", "run", "group", "flow_variant", "goodput_bps"], orient="row"),
        pl.DataFrame(),
    )
    said = answer.plain(found.sentence)
    assert said.startswith("The fullest link is second: 97 % of it is used, with 41 ms of queueing delay.")
    assert "In long, goodput per flow is 3.5 Mbit/s with TcpCubic." in said
    of_links, of_groups = found.charts
    assert [row.name for row in of_links.rows] == ["second", "first", "first back"]
    assert [row.about for row in of_groups.rows] == ["long", "cross"]


def test_groups_that_differ_have_the_link_that_limits_them(home):
    links = pl.DataFrame(
        {"combination": [0], "link": ["first"], "direction": ["forward"], "metric": ["utilisation"], "mean": [0.4]}
    )
    rows = [
        (0, "long", "TcpCubic", "second", "goodput_bps", 3e6),
        (0, "cross", "TcpCubic", "first", "goodput_bps", 6e6),
    ]
    groups = pl.DataFrame(rows, schema=["combination", "group", "flow_variant", "link", "metric", "mean"], orient="row")
    _, of_groups = topology.answer(home, links, pl.DataFrame(), groups).charts
    assert [(row.about, row.texts) for row in of_groups.rows] == [
        ("long over second", ["3"]),
        ("cross over first", ["6"]),
    ]


def test_another_scenario_has_no_answer_of_links():
    assert topology.answer(synthetic.crossed(variant=["TcpCubic"]), *[pl.DataFrame()] * 3) is None


def test_three_means_are_told_where_nothing_could_be_tested():
    sweep = synthetic.crossed(variant=["TcpCubic", "TcpBbr", "TcpVegas"])
    rows = [
        (number, name, metric, mean)
        for number, (name, rate, delay) in enumerate(
            [("TcpCubic", 2e6, 1.2), ("TcpBbr", 1.9e6, 0.15), ("TcpVegas", 1e6, 0.02)]
        )
        for metric, mean in (("goodput_bps", rate), ("owd_mean_s", delay))
    ]
    summary = pl.DataFrame(rows, schema=["combination", "flow_variant", "metric", "mean"], orient="row")
    said = answer.plain(means.answer(sweep, summary, []).sentence)
    assert "Goodput per flow: 2 Mbit/s with TcpCubic, 1.9 Mbit/s with TcpBbr and 1 Mbit/s with TcpVegas. " in said
    assert "1200 ms with TcpCubic, 150 ms with TcpBbr and 20 ms with TcpVegas" in said


def test_traces_and_traffic_put_late_packets_and_completion_times_first():
    rows = drawn_networks.star(2, "arrivals")[0]
    rows = [rows | {"variant": name} for name in ("TcpCubic", "TcpBbr")]
    sweep = synthetic.record(scenario="network", combinations=rows)
    delays = [(0, "TcpCubic", "owd_p95_s", 0.9), (1, "TcpBbr", "owd_p95_s", 0.2)]
    times = [(0, "answers", "fct_p95_s", 0.05), (1, "answers", "fct_p95_s", 0.02)]
    asked = answer.Answer("means", [("text", "Goodput.")])
    found = late.added(
        asked,
        sweep,
        pl.DataFrame(delays, schema=["combination", "flow_variant", "metric", "mean"], orient="row"),
        pl.DataFrame(times, schema=["combination", "traffic", "metric", "mean"], orient="row"),
    )
    said = answer.plain(found.sentence)
    assert said.startswith("One-way delay, 95th percentile: 200 ms with TcpBbr and 900 ms with TcpCubic. Traffic ")
    assert said.endswith(": 20 ms with TcpBbr and 50 ms with TcpCubic. Goodput.")
    assert [row.name for chart in found.charts for row in chart.rows] == ["TcpBbr", "TcpCubic"] * 2
    plain = synthetic.crossed(variant=["TcpCubic"])
    assert late.added(asked, plain, pl.DataFrame({"flow_variant": []}), pl.DataFrame()) == asked


def test_variants_with_the_same_value_are_told_together_and_unfinished_transfers_are_infinite():
    rows = drawn_networks.star(2, "arrivals")[0]
    rows = [rows | {"variant": name} for name in ("TcpCubic", "TcpBbr", "TcpVegas")]
    sweep = synthetic.record(scenario="network", combinations=rows)
    times = [
        (0, "answers", "fct_p95_s", 0.0501, 0),
        (1, "answers", "fct_p95_s", 0.0499, 0),
        (2, "answers", "fct_p95_s", None, 1),
    ]
    schema = ["combination", "traffic", "metric", "mean", "infinite_runs"]
    flows = dict.fromkeys(["flow_variant", "metric"], pl.String) | {"combination": pl.Int64, "mean": pl.Float64}
    found = late.added(
        answer.Answer("means", []), sweep, pl.DataFrame(schema=flows), pl.DataFrame(times, schema, orient="row")
    )
    said = answer.plain(found.sentence)
    assert said.endswith(": 50 ms with TcpBbr and TcpCubic and ∞ ms with TcpVegas. ")
    assert "unfinished" in found.note
    assert found.charts[0].rows[-1].strip.dot is None


def test_a_variant_in_a_mix_is_not_pooled_with_the_same_variant_elsewhere():
    rows = [drawn_networks.two_hops()[0] | {"variant": name} for name in ("TcpBbr", "TcpCubic+TcpBbr")]
    sweep = synthetic.record(scenario="network", combinations=rows, axes={"variant": ["TcpBbr", "TcpCubic+TcpBbr"]})
    flows = [(0, 1, "long", "TcpBbr", 3e6), (1, 1, "long", "TcpBbr", 1e6), (1, 1, "long", "TcpCubic", 5e6)]
    links = pl.DataFrame(
        {"combination": [0], "link": ["first"], "direction": ["forward"], "metric": ["utilisation"], "mean": [0.4]}
    )
    names = ["combination", "run", "group", "flow_variant", "goodput_bps"]
    found = topology.answer(sweep, links, pl.DataFrame(flows, names, orient="row"), pl.DataFrame())
    texts = {row.name: row.texts for row in found.charts[1].rows}
    assert texts == {"TcpBbr": ["3"], "TcpBbr in TcpCubic+TcpBbr": ["1"], "TcpCubic": ["5"]}


def test_a_finding_that_its_own_interval_seems_to_contradict_says_that_it_is_corrected():
    sweep = synthetic.crossed(variant=["TcpCubic"], stack=["ns-3", "linux"])
    found = linux.answer(sweep, pl.DataFrame([stack_row(1, "goodput_bps", 1.2, "undecided")]))
    assert "inconclusive after correction" in found.charts[0].rows[0].texts
    assert answer.plain(found.sentence).startswith("After correction for 1 comparison,")
