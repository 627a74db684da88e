# SPDX-License-Identifier: MIT
"""What the first screen answers, for each kind of question."""

import polars as pl
import pytest

from tcpsweep.core.report.answers import answer, late, means, mixes, topology
from tcpsweep.features.linux import linux_answer, stack_table
from tcpsweep.features.pairs import fairest_answer, pair_ranking
from tcpsweep.features.refine import crossover_answer, refinement
from tcpsweep.features.search import found_network_answer, search_record, searched_networks
from tests.support import drawn_networks, synthetic
from tests.support.refined import DATA, refined, share
from tests.support.searched import at_hole


def frame(columns, *rows, **kinds):
    """A table of rows, with the names of its columns in a text."""
    return pl.DataFrame(rows, schema=columns.split(), orient="row", schema_overrides=kinds)


def sentence(found):
    return "".join(words for _, words in found.sentence)


def test_refine_is_answered_with_the_crossover_its_band_and_a_drawing_and_several_networks_are_counted():
    sweep, looked_at = refined(share, DATA | {"grid": {"variant": ["TcpCubic", "TcpBbr"], "delay": ["5ms"]}})
    found = crossover_answer.answer(
        synthetic.results(sweep, refined_points=looked_at, refined=refinement.turns(sweep, looked_at))
    )
    said = sentence(found)
    # The difference changes its sign at 7 Mbit/s (`refined.TURN`).
    assert said.startswith("The crossover in goodput per flow of TcpBbr and TcpCubic is at ")
    assert "Mbit/s (" in said and "TcpBbr has more above it" in said
    (row,) = found.charts[0].rows
    assert row.turns.bands and row.turns.marks and found.charts[0].ticks
    sweep, looked_at = refined(share)
    found = crossover_answer.answer(
        synthetic.results(sweep, refined_points=looked_at, refined=refinement.turns(sweep, looked_at))
    )
    assert sentence(found).endswith("in 2 of 2 network conditions.")
    assert [row.name for row in found.charts[0].rows] == ["delay 5ms", "delay 50ms"]


def test_search_is_answered_with_the_network_and_its_difference_in_fresh_runs():
    sweep, table = at_hole()
    found = found_network_answer.answer(synthetic.results(sweep, search=table))
    said = sentence(found)
    assert said.startswith("The worst network condition for goodput per flow of TcpBbr against TcpCubic is ")
    assert "in 5 fresh runs" in said and "[−6" in said
    left = 120 - len({run.cell for run in sweep.cells})
    assert found.note.startswith(f"{left} of 120 simulations are left: " if left else "")
    assert (
        found_network_answer._unspent(search_record.of(sweep), 115)
        == "5 of 120 simulations are left: a check takes 10."
    )
    first = found.charts[0].rows[0]
    assert first.strip.whisker and first.strip.ring is not None
    assert first.name in said


def test_a_search_whose_finds_fail_tells_the_largest_of_its_fresh_runs():
    sweep, table = at_hole()
    failed = table.with_columns(
        role=pl.when(pl.col("runs").is_not_null()).then(pl.lit(searched_networks.TRIED)).otherwise("role")
    )
    said = sentence(found_network_answer.answer(synthetic.results(sweep, search=failed)))
    assert said.startswith("No find passed its check. ")
    assert f"−{abs(failed['mean'].min()) * 100:.3g} %" in said


# In competition with A, others lose as much as with themselves (0.5); B takes more, and C less.
HARM = {"A": {"A": 0.5, "B": 0.5, "C": 0.5}, "B": {"A": 0.9, "B": 0.5, "C": 0.8}, "C": {"A": 0.2, "B": 0.3, "C": 0.5}}


def fairest_of(**ends):
    """The answer if the table `ranking` has each variant's distance in the middle of its interval."""
    rows = [(0, one, other, "harm_goodput", 5, 5, 5, HARM[one][other], None, None) for one in HARM for other in HARM]
    columns = "combination variant beside measure runs steady_runs distinct_runs mean low high"
    pairs = frame(columns, *rows, low=pl.Float64, high=pl.Float64)
    scores = [
        {"variant": one, "by": "fair", "networks": 1, "score": sum(own) / 2, "score_low": own[0], "score_high": own[1]}
        for one, own in ends.items()
    ]
    ranking = pl.DataFrame(scores, schema=pair_ranking.COLUMNS)
    sweep = synthetic.record().with_question("pairs", [*HARM])
    return fairest_answer.answer(synthetic.results(sweep, pairs=pairs, ranking=ranking))


def test_the_fairest_does_as_much_harm_as_the_others_do_to_themselves():
    found = fairest_of(A=(0.0, 0.1), C=(0.2, 0.3), B=(0.3, 0.4))
    assert [row.name for row in found.charts[0].rows] == ["A", "C", "B"]
    assert sentence(found) == (
        "A is the fairest: its harm to the others' goodput differs by 0.05 [0.00, 0.10] from the harm that they do to "
        "themselves; next is C, by 0.25 [0.20, 0.30]."
    )
    apart = fairest_of(A=(0.0, 0.1), C=(0.2, 0.3), B=(0.4, 0.5))
    assert sentence(apart).endswith("; B is the least fair, by 0.45 [0.40, 0.50].")
    assert found.note.startswith("Fairest: ")


@pytest.mark.parametrize(
    ("ends", "numbers"),
    [
        (
            {"A": (0.0, 0.25), "C": (0.2, 0.3), "B": (0.3, 0.4)},
            "0.12 [0.00, 0.25] (A), 0.25 [0.20, 0.30] (C) and 0.35 [0.30, 0.40] (B).",
        ),
        ({}, "0.00 (A), 0.25 (C) and 0.35 (B)."),
    ],
)
def test_no_variant_is_the_fairest_unless_its_interval_excludes_the_next(ends, numbers):
    assert sentence(fairest_of(**ends)) == (
        "No variant is shown to be the fairest. Their harm to the others' goodput differs from the harm that these do "
        f"to themselves by {numbers}"
    )


def of_stacks(**ratios):
    """The answer if TcpCubic has these ratios of Linux to ns-3, each with its finding, by metric."""
    same = {"combination": 1, "variant": "TcpCubic", "mix": None, "reference_mean": 2e6, "smallest_share": 0.05}
    same |= {"smallest_value": 0.0, "smallest_origin": 0.0, "runs_needed": None, "distinct_runs": 5}
    rows = []
    for metric, (ratio, finding) in ratios.items():
        own = {"metric": metric, "finding": finding, "ratio": ratio, "mean": 2e6 * (ratio or 1.5)}
        own |= {"effect": (ratio or 1) - 1, "difference": ratio and ratio * 2e6}
        rows.append(same | own | {"ratio_low": ratio and ratio * 0.9, "ratio_high": ratio and ratio * 1.1})
    table = pl.DataFrame(rows)
    sweep = synthetic.crossed(variant=["TcpCubic"], stack=["ns-3", "linux"])
    return linux_answer.answer(synthetic.results(sweep, stacks=table))


def test_two_stacks_are_answered_with_their_largest_difference_on_one_scale():
    found = of_stacks(goodput_bps=(1.02, "same"), queueing_delay_mean_s=(1.4, "higher"))
    assert sentence(found) == (
        "Linux differs from ns-3 in 1 of 2 comparisons. "
        "The largest difference is in TcpCubic's mean queueing delay: 1.4 times that of ns-3."
    )
    one, other = found.charts
    assert one.axis == other.axis
    assert stack_table.METRICS[:2] == ("goodput_bps", "queueing_delay_mean_s")


def test_two_stacks_that_could_not_be_tested_are_told_in_means():
    said = sentence(of_stacks(goodput_bps=(None, "too few runs")))
    assert said.startswith("No comparison of Linux with ns-3 has a verdict. In the means, TcpCubic's goodput per flow")
    assert "1.5 times" in said


def test_a_finding_that_its_own_interval_seems_to_contradict_says_that_it_is_corrected():
    found = of_stacks(goodput_bps=(1.2, "undecided"))
    assert "inconclusive after correction" in found.charts[0].rows[0].texts
    assert sentence(found).startswith("After correction for 1 comparison,")


HOPS, _ = drawn_networks.two_hops()
FLOWS = "combination run group flow_variant goodput_bps"
LINKS = frame("combination link direction metric mean", (0, "first", "forward", "utilisation", 0.4))


def home(*variants):
    """A sweep of a network of two links."""
    rows = [HOPS | {"variant": name} for name in variants or [HOPS["variant"]]]
    return synthetic.record(scenario="network", combinations=rows, axes={"variant": list(variants)})


def test_a_custom_topology_is_answered_with_its_links_and_groups():
    more = [
        (0, "second", "forward", "utilisation", 0.97),
        (0, "second", "forward", "network_queueing_delay_mean_s", 0.041),
        (0, "first", "reverse", "utilisation", 0.02),
    ]
    flows = [(0, 1, "long", "TcpCubic", 3e6), (0, 1, "long", "TcpCubic", 4e6), (0, 1, "cross", "TcpCubic", 6e6)]
    links = frame(" ".join(LINKS.columns), *LINKS.rows(), *more)
    found = topology.answer(home(), links, frame(FLOWS, *flows), pl.DataFrame())
    said = sentence(found)
    assert said.startswith("The fullest link is second: 97 % of it is used, with 41 ms of queueing delay.")
    assert "In long, goodput per flow is 3.5 Mbit/s with TcpCubic." in said
    of_links, of_groups = found.charts
    assert [row.name for row in of_links.rows] == ["second", "first", "first back"]
    assert [row.about for row in of_groups.rows] == ["long", "cross"]


def test_groups_that_differ_have_the_link_that_limits_them():
    rows = [
        (0, "long", "TcpCubic", "second", "goodput_bps", 3e6),
        (0, "cross", "TcpCubic", "first", "goodput_bps", 6e6),
    ]
    groups = frame("combination group flow_variant link metric mean", *rows)
    _, of_groups = topology.answer(home(), LINKS, pl.DataFrame(), groups).charts
    assert [(row.about, row.texts) for row in of_groups.rows] == [
        ("long over second", ["3"]),
        ("cross over first", ["6"]),
    ]


def test_a_variant_in_a_mix_is_not_pooled_with_the_same_variant_elsewhere():
    flows = [(0, 1, "long", "TcpBbr", 3e6), (1, 1, "long", "TcpBbr", 1e6), (1, 1, "long", "TcpCubic", 5e6)]
    found = topology.answer(home("TcpBbr", "TcpCubic+TcpBbr"), LINKS, frame(FLOWS, *flows), pl.DataFrame())
    texts = {row.name: row.texts for row in found.charts[1].rows}
    assert texts == {"TcpBbr": ["3"], "TcpBbr in TcpCubic+TcpBbr": ["1"], "TcpCubic": ["5"]}
    # Another scenario has no answer of links.
    assert topology.answer(synthetic.crossed(variant=["TcpCubic"]), *[pl.DataFrame()] * 3) is None


MEANS = "combination flow_variant metric mean"


def test_three_means_are_told_where_nothing_could_be_tested():
    sweep = synthetic.crossed(variant=["TcpCubic", "TcpBbr", "TcpVegas"])
    values = [("TcpCubic", 2e6, 1.2), ("TcpBbr", 1.9e6, 0.15), ("TcpVegas", 1e6, 0.02)]
    rates = [(number, name, "goodput_bps", rate) for number, (name, rate, _) in enumerate(values)]
    delays = [(number, name, "owd_mean_s", delay) for number, (name, _, delay) in enumerate(values)]
    said = sentence(means.answer(sweep, frame(MEANS, *rates, *delays), []))
    assert "Goodput per flow: 2 Mbit/s with TcpCubic, 1.9 Mbit/s with TcpBbr and 1 Mbit/s with TcpVegas. " in said
    assert "1200 ms with TcpCubic, 150 ms with TcpBbr and 20 ms with TcpVegas" in said


def test_means_of_two_variants_are_over_network_conditions_that_both_have():
    # CUBIC alone has a loss of 0.03 %: over all of its conditions, it would seem to have 5.69 Mbit/s.
    rates = {("TcpCubic", 0.01): 1.0, ("TcpCubic", 0.001): 5.12, ("TcpCubic", 0.0003): 10.95}
    rates |= {("TcpLinuxReno", 0.01): 1.0, ("TcpLinuxReno", 0.001): 4.92}
    rows = [{"variant": variant, "loss": loss} for variant, loss in rates]
    axes = {"variant": ["TcpCubic", "TcpLinuxReno"], "loss": [0.0003, 0.001, 0.01]}
    sweep = synthetic.record(combinations=rows, axes=axes, runs=(1, 2, 3))
    means_of = [(n, row["variant"], "goodput_bps", 1e6 * rates[tuple(row.values())]) for n, row in enumerate(rows)]
    found = means.answer(sweep, frame(MEANS, *means_of), [])
    said = "Goodput per flow: 1 to 5.12 Mbit/s with TcpCubic and 1 to 4.92 Mbit/s with TcpLinuxReno. "
    assert sentence(found).startswith(said)
    # Comparisons may have been tested, only no difference was shown.
    assert "tested" not in found.note and "No difference between variants was shown" in found.note
    # The last line says nothing about variants without a common condition.
    assert means.answer(sweep, frame(MEANS, means_of[2], means_of[3]), []).sentence == []


def in_mix(sweep, shares, finding="higher"):
    """The answer of a sweep in which CUBIC shares a link with another variant, from its shares of the fair share."""
    rows = [
        (number, variant, "share", mean, mean - 0.04, mean + 0.06)
        for number, each in shares.items()
        for variant, mean in (("TcpCubic", 2 - each), ("TcpVegas", each))
    ]
    summary = frame("combination flow_variant metric mean low high", *rows)
    effects = [(number, "TcpVegas", "TcpCubic", "TcpCubic+TcpVegas", "goodput_bps", finding) for number in shares]
    return mixes.answer(sweep, summary, frame("combination variant reference mix metric finding", *effects))


def test_a_mix_is_answered_with_its_shares_their_intervals_and_why_they_are_not_tested():
    names = ["TcpCubic", "TcpVegas", "TcpCubic+TcpVegas"]
    sweep = synthetic.crossed(variant=names, queue=["1bdp", "4bdp"])
    mixed = [number for number, row in enumerate(sweep.texts) if "+" in row["variant"]]
    shares = dict(zip(mixed, (0.59, 0.16), strict=True))
    found = in_mix(sweep, shares)
    said = "Next to TcpCubic, TcpVegas gets 30 % [27, 32] of the goodput at queue 1 BDP and 8 % [6, 11] at queue 4 BDP."
    assert sentence(found).strip() == said
    assert answer.plain(found.sentence, {}).startswith("Next to CUBIC, Vegas gets 30 % [27, 32] of the goodput")
    assert [row.name for row in found.charts[0].rows] == ["queue 1 BDP", "queue 4 BDP"]
    assert found.charts[0].title == "Share of goodput [%]: Vegas (next to CUBIC)"
    unsteady = in_mix(sweep, shares, finding="not steady")
    assert "at queue 4 BDP (not tested: not steady)." in sentence(unsteady)
    assert unsteady.charts[0].rows[0].texts == ["30 % [27, 32]", "not tested: not steady"]


def test_of_many_network_conditions_a_mix_is_answered_with_both_ends_and_where_they_are():
    sweep = synthetic.crossed(variant=["TcpCubic+TcpVegas"], queue=["1bdp", "2bdp", "4bdp"])
    said = sentence(in_mix(sweep, {0: 0.6, 1: 1.0, 2: 0.2})).strip()
    assert (
        said
        == "Next to TcpCubic, TcpVegas gets 10 % [8, 13] at queue 4 BDP to 50 % [48, 53] at queue 2 BDP of the goodput."
    )


def answering(*variants):
    """A sweep whose hosts answer to arriving flows."""
    row, _ = drawn_networks.star(2, "arrivals")
    return synthetic.record(scenario="network", combinations=[row | {"variant": name} for name in variants])


def test_traces_and_traffic_put_late_packets_and_completion_times_first():
    delays = frame(MEANS, (0, "TcpCubic", "owd_p95_s", 0.9), (1, "TcpBbr", "owd_p95_s", 0.2))
    times = [(0, "answers", "fct_p95_s", 0.05), (1, "answers", "fct_p95_s", 0.02)]
    asked = answer.Answer("means", [("text", "Goodput.")])
    traffic = frame("combination traffic metric mean", *times)
    found = late.added(asked, answering("TcpCubic", "TcpBbr"), delays, traffic)
    said = sentence(found)
    assert said.startswith("One-way delay, 95th percentile: 200 ms with TcpBbr and 900 ms with TcpCubic. Traffic ")
    assert said.endswith(": 20 ms with TcpBbr and 50 ms with TcpCubic. Goodput.")
    assert [row.name for chart in found.charts for row in chart.rows] == ["TcpBbr", "TcpCubic"] * 2
    plain = synthetic.crossed(variant=["TcpCubic"])
    assert late.added(asked, plain, pl.DataFrame({"flow_variant": []}), pl.DataFrame()) == asked


def test_variants_with_the_same_value_are_told_together_and_unfinished_transfers_are_infinite():
    times = [(0, 0.0501, 0), (1, 0.0499, 0), (2, None, 1)]
    traffic = frame("combination mean infinite_runs", *times).with_columns(
        traffic=pl.lit("answers"), metric=pl.lit("fct_p95_s")
    )
    flows = pl.DataFrame(schema=frame(MEANS, (0, "TcpCubic", "owd_p95_s", 0.9)).schema)
    found = late.added(answer.Answer("means", []), answering("TcpCubic", "TcpBbr", "TcpVegas"), flows, traffic)
    assert sentence(found).endswith(": 50 ms with TcpBbr and TcpCubic and ∞ ms with TcpVegas. ")
    assert "unfinished" in found.note
    assert found.charts[0].rows[-1].strip.dot is None
