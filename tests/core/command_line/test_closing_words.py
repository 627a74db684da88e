# SPDX-License-Identifier: MIT
"""The end of a run: a sign and a bar for each row, findings as on the report's overview, each mix with its number."""

import io
import re
from types import SimpleNamespace

import polars as pl

from tcpsweep.core.command_line.terminal import closing_findings, finished_sweep, summary_table
from tcpsweep.core.report.answers.answer import plain
from tcpsweep.core.report.sections import headlines
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.words.aligned import in_lines


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


def test_a_bar_is_as_long_as_its_share_and_a_range_begins_where_it_does():
    assert summary_table.bar(4, 4, 4) == "█" * 10
    assert summary_table.bar(1, 1, 4) == "██▌"
    assert summary_table.bar(2, 4, 4) == "     █████"
    assert summary_table.bar(0, 0, 4) == "▏"
    assert summary_table.bar(0, 0, 0) == ""


def test_only_a_terminal_that_has_the_characters_gets_bars():
    for encoding in ("utf-8", "ascii", None):
        assert finished_sweep.shows_bars(SimpleNamespace(isatty=lambda: True, encoding=encoding)) == (
            encoding == "utf-8"
        )
    assert not finished_sweep.shows_bars(SimpleNamespace(isatty=lambda: False, encoding="utf-8"))
    assert not finished_sweep.shows_bars(io.StringIO())
    assert not finished_sweep.shows_bars(None)


def test_the_findings_are_those_of_the_reports_overview(finished):
    folder = finished / "results/sweeps/small"
    told = finished_sweep.for_stream(finished_sweep.closing_of_tables(folder).tables)
    sweep, effects = sweep_record.read(folder), pl.read_parquet(folder / "effects.parquet")
    for finding in headlines.largest(sweep, effects):
        assert plain(finding.parts, {}).rstrip(".") in told or finding.of_mix
    assert len(set(told.splitlines())) == len(told.splitlines())
    assert "compared with the baseline's, NewReno, in the same network condition, run by run" in told
    assert not re.search("[█▏]", told)
    assert re.search("[█▏]", in_lines(finished_sweep.closing_of_tables(folder).tables))
