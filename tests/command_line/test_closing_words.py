# SPDX-License-Identifier: MIT
"""The end of a run: a sign and a bar for each row, findings as on the report's overview, each mix with its number."""

import io
import re
from types import SimpleNamespace

import polars as pl

from tcpsweep.analysis import verdict_words
from tcpsweep.command_line.terminal import closing_findings, summary, summary_table
from tcpsweep.report.sections import headlines
from tcpsweep.sweep import sweep_record


def effect(**values):
    row = {"metric": "goodput_bps", "combination": 0, "variant": "TcpBbr", "reference": "TcpCubic", "mix": None}
    row |= {"finding": "higher", "effect": 0.12, "difference": 1e6, "mean": 1.12e6, "reference_mean": 1e6}
    return row | {"smallest_share": 0.02, "smallest_value": 0.0, "smallest_origin": 0.0} | values


def test_one_networks_sign_has_its_size_and_several_are_counted():
    higher, lower = effect(), effect(finding="lower", effect=-0.3)
    same, undecided, untested = (effect(finding=name) for name in ("same", "undecided", "not steady"))
    few = effect(finding="too few runs")
    signs = [closing_findings.sign([row]) for row in (higher, lower, same, undecided, few, untested)]
    assert signs == ["+12%", "−30%", "=", "?", "?", "·"]
    assert closing_findings.sign([higher, higher, lower, same, few, undecided, untested]) == "2+ 1− 1= 2? 1·"
    assert closing_findings.sign([]) == ""


def told_of_mix(count, **values):
    """What is told of a mix in so many network conditions."""
    rows = [effect(mix="TcpCubic+TcpBbr", combination=number, **values) for number in range(count)]
    (told,) = closing_findings._mixes(pl.DataFrame(rows), "goodput_bps")
    return told


def test_a_mix_is_named_with_what_its_variants_get():
    said = "Competing with TcpCubic, TcpBbr gets 12 % more goodput, in 2 of 2 network conditions."
    assert told_of_mix(2) == f"Mix TcpCubic+TcpBbr: {said}"
    undecided = {"finding": "undecided", "distinct_runs": 10}
    told = told_of_mix(3, **undecided, runs_needed=34)
    assert told.startswith("Mix TcpCubic+TcpBbr: TcpBbr competing with TcpCubic: ")
    assert told.endswith("inconclusive in 3 of 3 network conditions; about 34 repetitions would decide it.")
    told = told_of_mix(1, **undecided, runs_needed=3211)
    assert told.endswith("inconclusive; more than 1000 repetitions would decide it.")
    assert told_of_mix(1, **undecided, runs_needed=9).endswith("inconclusive.")
    told = told_of_mix(2, finding="too few runs", distinct_runs=5, runs_needed=12)
    few = "inconclusive: too few repetitions in 2 of 2 network conditions"
    assert told.endswith(f"{few}; about 12 repetitions would decide it.")
    told = told_of_mix(2, finding="deterministic")
    assert told.endswith("not compared in 2 of 2 network conditions, because a variant's runs are all the same.")
    assert set(verdict_words.REASONS) == set(verdict_words.WORDS)


def test_a_bar_is_as_long_as_its_share_and_a_range_begins_where_it_does():
    assert summary_table.bar(4, 4, 4) == "█" * 10
    assert summary_table.bar(1, 1, 4) == "██▌"
    assert summary_table.bar(2, 4, 4) == "     █████"
    assert summary_table.bar(0, 0, 4) == "▏"
    assert summary_table.bar(0, 0, 0) == ""


def test_only_a_terminal_that_has_the_characters_gets_bars():
    for encoding in ("utf-8", "ascii", None):
        assert summary.shows_bars(SimpleNamespace(isatty=lambda: True, encoding=encoding)) == (encoding == "utf-8")
    assert not summary.shows_bars(SimpleNamespace(isatty=lambda: False, encoding="utf-8"))
    assert not summary.shows_bars(io.StringIO())
    assert not summary.shows_bars(None)


def test_the_findings_are_those_of_the_reports_overview(finished):
    folder = finished / "results/sweeps/small"
    told = summary_table.table(folder)
    sweep, effects = sweep_record.read(folder), pl.read_parquet(folder / "effects.parquet")
    for finding in headlines.largest(sweep, effects):
        assert "".join(text for _, text in finding["parts"]).rstrip(".") in told
    assert len(set(told.splitlines())) == len(told.splitlines())
    assert "compared with the baseline's, TcpNewReno, in the same network condition, run by run" in told
    assert not re.search("[█▏]", told)
    assert re.search("[█▏]", summary_table.table(folder, bars=True))
