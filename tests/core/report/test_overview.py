# SPDX-License-Identifier: MIT
"""The overview of the sweep's page: the score card and the findings of known effects."""

import polars as pl
import pytest

from tcpsweep.core.report.picture import card as picture_card
from tcpsweep.core.report.sections import effect_words, headlines, score_card
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.words import capitals
from tcpsweep.core.words.metrics import METRICS
from tests.core.report.made_pages import KNOWN, PARTS, joined, said, shares
from tests.support import synthetic


@pytest.fixture(scope="module")
def tables(known):
    folder = known / "results" / "sweeps" / "known"
    summary, effects = (pl.read_parquet(folder / f"{name}.parquet") for name in ("summary", "effects"))
    return [sweep_record.read(folder), summary, effects]


def test_the_score_card_has_a_mark_for_each_network_the_largest_size_and_a_sentence_of_what_never_varies(tables):
    card = score_card.card(*tables)
    columns = [name for name, *_ in card.metrics]
    assert "congestion_loss" not in columns
    assert "Congestion loss: 0 % everywhere." in card.constant
    cells = {row.variant: row.cells[columns.index("goodput_bps")] for row in card.rows}
    assert card.reference == "TcpNewReno"
    assert cells["TcpBbr"].counts == {"worse": 4}
    assert cells["TcpBbr"].size == "−50%"
    assert len(cells["TcpBbr"].marks) == 4
    # Lower values hang below the line at zero, the largest of all down to the picture's end.
    assert {(mark.y, mark.height) for mark in cells["TcpBbr"].marks} == {(15, 14.0)}
    assert cells["TcpCubic"].counts == {"same": 4}
    assert cells["TcpCubic"].size == ""
    mixed = cells["TcpNewReno+TcpCubic"]
    # More of a mix's goodput is not better, because the other variant has less.
    assert mixed.counts == {"more": 4}
    assert mixed.size == "+33%"


def test_many_networks_are_counted_and_have_no_mark_each(tables, monkeypatch):
    monkeypatch.setattr(score_card, "MOST_MARKS", 3)
    card = score_card.card(*tables)
    cells = [cell for row in card.rows for cell in row.cells if cell]
    assert not any(cell.marks for cell in cells)
    assert any(cell.counts == {"worse": 4} for cell in cells)
    assert any("rect" in part for part in picture_card.drawn(card, 0, 0, 700, str))


def test_findings_are_the_largest_effects_in_plain_words_with_a_link_to_their_figure(tables):
    sweep, _, effects = tables
    found = headlines.largest(sweep, effects)
    texts = [said(finding) for finding in found]
    assert "TcpBbr gets 50 % less goodput than TcpNewReno, in 4 of 4 network conditions" in texts
    assert len(found) <= 3
    assert all(finding.link.startswith("#explore?") for finding in found)
    beside = [row for row in effects.iter_rows(named=True) if row["mix"] and row["metric"] == "goodput_bps"]
    assert {row["finding"] for row in beside} == {"higher"}


def test_a_finding_counts_means_where_nothing_could_be_tested_and_says_so(tables):
    sweep, _, effects = tables
    slow = (pl.col("variant") == "TcpBbr") & (pl.col("metric") == "goodput_bps") & (pl.col("delay_s") == 0.005)
    far = effects.with_columns(
        finding=pl.when(slow).then(pl.lit("not steady")).otherwise("finding"),
        mean=pl.when(slow).then(pl.lit(0.1e6)).otherwise("mean"),
    )
    told = [said(finding) for finding in headlines.largest(sweep, far)]
    words = "goodput than TcpNewReno, in 4 of 4 network conditions; 2 of these only means, not tested"
    assert any(text.startswith("TcpBbr gets 50 to 90 % less") and text.endswith(words) for text in told)
    near = far.with_columns(mean=pl.when(slow).then(pl.lit(0.99e6)).otherwise("mean"))
    assert not any("only means" in said(finding) for finding in headlines.largest(sweep, near))


def test_untested_means_have_a_mark_of_their_own_as_high_as_they_differ(tables):
    sweep, summary, effects = tables
    slow = (pl.col("variant") == "TcpBbr") & (pl.col("metric") == "goodput_bps") & (pl.col("delay_s") == 0.005)
    untested = effects.with_columns(finding=pl.when(slow).then(pl.lit("not steady")).otherwise("finding"))
    card = score_card.card(sweep, summary, untested)
    column = [name for name, *_ in card.metrics].index("goodput_bps")
    (cell,) = (row.cells[column] for row in card.rows if row.variant == "TcpBbr")
    assert cell.counts == {"worse": 2, "means": 2}
    assert {mark.height for mark in cell.marks} == {14.0}
    assert "lower, −50%, not tested: not steady" in cell.marks[0].said + cell.marks[-1].said


def test_without_a_shown_effect_one_finding_says_so(tables):
    sweep, _, effects = tables
    none = effects.filter(~pl.col("finding").is_in(["higher", "lower"]))
    (only,) = headlines.largest(sweep, none)
    assert said(only).startswith("No relevant difference was shown")
    assert headlines.largest(sweep, effects.clear()) == []


def test_where_too_few_runs_can_be_tested_the_means_are_told_and_called_that(here):
    folder = synthetic.sweep(KNOWN.replace("repetitions: 14", "repetitions: 3"), shares)
    sweep = sweep_record.read(folder)
    summary, effects = (pl.read_parquet(folder / f"{name}.parquet") for name in ("summary", "effects"))
    told = [said(finding) for finding in headlines.largest(sweep, effects)]
    words = "TcpBbr gets 50 % less goodput than TcpNewReno, in 4 of 4 network conditions"
    assert f"{words}; only means, with too few repetitions for a verdict" in told
    card = score_card.card(sweep, summary, effects)
    assert card.rows == []
    assert [name for name, _ in card.means] == [*PARTS]


def test_differences_of_shares_are_in_percentage_points():
    row = {"metric": "congestion_loss", "effect": None, "smallest_value": 0.001, "finding": "higher", "mix": None}
    rows = [row | {"difference": size, "variant": "TcpBbr", "reference": "TcpCubic"} for size in (0.01, 0.05)]
    begin = "TcpBbr has 1 to 5 percentage points more congestion loss than TcpCubic"
    assert joined(effect_words.sentence(rows, 4)) == f"{begin}, in 2 of 4 network conditions"
    assert [effect_words.signed(row) for row in rows] == ["+1pp", "+5pp"]


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.compared])
def test_a_finding_in_any_metric_is_grammatical(name):
    """A metric's title has no article or verb, because it may be of one thing or of many."""
    row = {"metric": name, "smallest_value": 0, "variant": "TcpBbr", "reference": "TcpCubic", "difference": -1.0}
    title = capitals.uncapitalised(METRICS[name].title)
    plain = name in effect_words.PLAIN
    for effect, finding, end in ((-1.0, "lower", "lower than"), (0.5, "higher", "higher than"), (2.0, "higher", "")):
        (mix, alone) = (
            joined(effect_words.sentence([row | {"effect": effect, "finding": finding, "mix": mix}], 1))
            for mix in ("TcpBbr+TcpCubic", None)
        )
        size = "100 %" if effect == -1 else "50 %" if effect < 1 else "3 times"
        assert size in mix and size in alone
        if not plain:
            assert alone == f"TcpBbr: {title}, {size} {end or 'as high as'} TcpCubic"
            assert mix == f"Competing with TcpCubic, TcpBbr: {title}, {size} {end.removesuffix(' than') or 'as high'}"


def test_flows_that_ended_are_not_a_flows():
    row = {"metric": "finished_share", "effect": None, "smallest_value": 0.02, "finding": "lower", "mix": None}
    row |= {"difference": -1.0, "variant": "TcpBbr", "reference": "TcpCubic"}
    told = joined(effect_words.sentence([row], 1))
    assert told == "TcpBbr: flows that ended, 100 percentage points lower than TcpCubic"
