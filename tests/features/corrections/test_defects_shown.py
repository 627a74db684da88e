# SPDX-License-Identifier: MIT
"""The sign of ns-3's known defects: which effects, verdicts and means have it, and where people see it."""

import dataclasses
import html
import re

import polars as pl
import pytest

from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.sweep import caveats, sweep_record
from tcpsweep.core.sweep.caveats import FEW, Touching, behind
from tcpsweep.core.words.metrics import METRICS
from tcpsweep.features.corrections import defect_caveats
from tests.support import synthetic
from tests.support.sweep_texts import sweep_of

THREE = "corrections: [prr, rate_sample, window_after_recovery]\nfixed: {preset: none}\n"


def touched(text):
    sweep = sweep_of(text)
    of_sweep = defect_caveats.caveats(sweep, "3.44")
    return Touching(synthetic.record(axes=sweep.axes, combinations=sweep.combinations, caveats=of_sweep))


def names(defects):
    return [each.name for each in defects]


def effect(metric, combination, reference, mix=None, variant=""):
    return {"metric": metric, "combination": combination, "variant": variant, "reference": reference, "mix": mix}


def test_an_effect_has_the_sign_of_either_side_in_its_own_network():
    found = touched("grid: {delay: [5ms, 10ms], variant: [TcpNewReno, TcpLinuxReno, TcpCubic]}\n")
    rows = [effect("goodput_bps", number, "TcpNewReno") for number in (1, 4)]
    assert names(found.effects(rows)) == ["NewReno opens half as fast"]
    assert names(found.effects([effect("goodput_bps", 2, "TcpLinuxReno")])) == []
    assert names(found.effects([effect("goodput_bps", 0, "TcpLinuxReno")])) == ["NewReno opens half as fast"]


def test_the_sign_is_at_the_metrics_that_a_defect_touches_and_not_at_effects_elsewhere():
    found = touched(f"{THREE}grid: {{loss: [0, 1%], variant: [TcpCubic, TcpLinuxReno]}}\n")
    assert names(found.effects([effect("goodput_bps", 1, "TcpCubic")])) == []
    assert "lost retransmissions" in names(found.effects([effect("goodput_bps", 3, "TcpCubic")]))
    assert "lost retransmissions" in names(found.verdict(effect("goodput_bps", None, "TcpCubic", None, "TcpLinuxReno")))
    assert "lost retransmissions" in names(found.metric("goodput_bps"))
    assert names(found.metric("random_loss")) == []  # an input
    assert names(found.means("goodput_bps", [0, 1])) == []


def test_corrections_take_the_sign_away():
    text = "%sgrid: {variant: [TcpCubic, TcpBbr]}\n"
    none, three = (touched(text % each).metric("congestion_loss") for each in ("tcp: ns-3\n", THREE))
    assert {"PRR counts twice", "BBR's stale rate sample"} <= set(names(none))
    assert not {"PRR counts twice", "BBR's stale rate sample"} & set(names(three))
    assert "BBR's timeouts" in names(three)
    assert touched("grid: {variant: [TcpCubic, TcpBbr]}\n").metric("congestion_loss") == []


def test_a_mix_has_the_sign_of_its_variants():
    found = touched("tcp: ns-3\ngrid: {variant: [TcpCubic, TcpCubic+TcpBbr]}\n")
    assert "CUBIC's share next to BBR" in names(
        found.effects([effect("goodput_bps", 1, "TcpCubic", "TcpCubic+TcpBbr")])
    )
    assert "CUBIC's share next to BBR" not in names(found.between("goodput_bps", "TcpCubic"))


def test_without_defects_there_is_no_sign():
    found = Touching(synthetic.crossed(variant=["TcpNewReno", "TcpCubic"]))
    assert found.effects([effect("goodput_bps", 1, "TcpNewReno")]) == found.metric("goodput_bps") == []
    assert behind([]) == ""


def test_numbers_of_fewer_than_ten_round_trips_have_the_sign_of_every_metric_and_no_others():
    sweep = synthetic.crossed(variant=["TcpNewReno", "TcpCubic"])
    few_trips = caveats.few_round_trips([1])
    sweep = dataclasses.replace(sweep, caveats=[few_trips, *defect_caveats.caveats(sweep, "3.44")])
    found = Touching(sweep)
    assert found.means("random_loss", [1]) == found.metric("random_loss") == [few_trips]
    assert found.means("random_loss", [0]) == []
    both = found.means("goodput_bps", [0, 1])
    assert names(both)[0] == "fewer than 10 round trips"
    few = "⚠ fewer than 10 round trips were measured, see docs/validity.md."
    defects = "⚠ touched by known defects of ns-3 3.44, see docs/features/known-defects.md: NewReno opens half as fast."
    assert caveats.legend(sweep, {FEW, "NewReno opens half as fast"}) == f"{few} {defects}"
    assert caveats.legend(sweep, [FEW]) == few
    assert caveats.sentence(sweep, [few_trips]) == few_trips.effect
    assert few_trips.effect in caveats.footnote(sweep, {"random_loss": METRICS["random_loss"]})


@pytest.mark.long
def test_the_report_and_the_terminal_show_the_sign(finished):
    folder = finished / "results" / "sweeps" / "small"
    assert names(sweep_record.read(folder).caveats) == ["NewReno opens half as fast"]
    page = (finished / "reports" / "small.html").read_text()
    assert 'id="known-defects"' in page
    words = html.unescape(re.sub("<[^>]+>", " ", page))
    assert "⚠ marks numbers that 1 known defect of ns-3 3.44 touches" in words
    assert "Its congestion epochs last twice as long as TcpLinuxReno's" in words
    verdicts = page.partition("-verdicts")[2].partition("</table>")[0]
    assert 'href="#known-defects"' in verdicts and "⚠ NewReno opens half as fast" in verdicts
    (signed,) = set(pl.read_csv(folder / "verdicts.csv").filter(pl.col("metric") == "goodput_bps")["known_defects"])
    assert signed == "NewReno opens half as fast"
    assert "- Goodput per flow: ⚠ NewReno opens half as fast" in (folder / "summary.md").read_text()
    told = finished_sweep.for_stream(finished_sweep.closing_of_tables(folder).tables)
    assert re.search(r"^  NewReno .* ⚠", told, re.MULTILINE)
    assert not re.search(r"^  TcpCubic .* ⚠", told, re.MULTILINE)
    assert (
        "⚠ touched by known defects of ns-3 3.44, see docs/features/known-defects.md: NewReno opens half as fast.)"
        in told
    )
