# SPDX-License-Identifier: MIT
"""Groups of flows are compared with themselves, and values of different links with nothing."""

import itertools

import polars as pl
import pytest

from tcpsweep.analysis import comparisons, group_values, paired_runs, summaries, traffic_effects
from tcpsweep.sweep.sweep_parts import ShareOrValue
from tests.support import synthetic

VARIANTS = ["TcpCubic", "TcpBbr+TcpCubic"]
SWEEP = synthetic.record(
    combinations=[{"variant": each} for each in VARIANTS],
    axes={"variant": VARIANTS},
    baseline="TcpCubic",
    runs=tuple(range(1, 7)),
    smallest_effects={"goodput_bps": ShareOrValue(share=0.02)},
)
RUNS = range(1, 7)


def by_run(*links):
    """Utilisation in six runs of both combinations, each of its own link."""
    places = itertools.product((0, 1), RUNS)
    rows = [(number, None, "utilisation", run, f"{number} {run}", 0.5 + 0.01 * run, True) for number, run in places]
    names = pl.Series([links[row[0]] for row in rows], dtype=pl.String)
    return synthetic.by_run(rows).with_columns(link=names)


def test_values_of_different_links_are_no_pair():
    compared = comparisons.pairs(SWEEP).with_row_index("pair")
    assert paired_runs.paired(by_run("up", "up"), compared).height == len(RUNS)
    assert paired_runs.paired(by_run("up", "down"), compared).is_empty()


def test_values_of_different_links_have_means_of_their_own():
    link = pl.when(pl.col("run") > 4).then(pl.lit("down")).otherwise("link")
    mixed = by_run("up", "up").filter(combination=0).with_columns(link=link)
    found = summaries.summarise(mixed).select("link", "runs", "mean").sort("link").rows()
    assert found == [("down", 2, pytest.approx(0.555)), ("up", 4, pytest.approx(0.525))]


def test_each_group_is_compared_with_itself_in_the_other_combination():
    # The upload is the same next to BBR; the download has twice as much, and the flow next to it the rest.
    shares = {("download", 0): 2e6, ("download", 1): 4e6, ("other", 0): 2e6, ("other", 1): 0.1e6}
    rows = [
        {"combination": number, "group": group, "flow_variant": "TcpCubic", "link": link, "metric": "goodput_bps"}
        | {"run": run, "digest": f"{number} {run}", "counts": True}
        | {"value": shares.get((group, number), 1e6) * (1 + 0.001 * ((run * (number + 2)) % 5))}
        for group, link in (("download", "down"), ("other", "down"), ("upload", "up"))
        for number in (0, 1)
        for run in RUNS
    ]
    values = group_values.of_whole_groups(pl.DataFrame(rows)).lazy()
    tables = list(traffic_effects.by_group(SWEEP, values, "group"))
    rows = [row for effects, _ in tables for row in effects.iter_rows(named=True)]
    assert [(row["group"], row["link"], row["finding"], round(row["ratio"], 1)) for row in rows] == [
        ("download", "down", "higher", 2.0),
        ("other", "down", "lower", 0.1),
        ("upload", "up", "same", 1.0),
    ]
    told = next(row for _, verdicts in tables for row in verdicts.rows(named=True))
    assert told["verdict"].startswith("down: TcpBbr+TcpCubic > TcpCubic in 1 of 1 network condition, 2 times (2)")
