# SPDX-License-Identifier: MIT
"""Every recipe of docs/recipes.md, run in its order on the sweep that the page begins with."""

import re

import polars as pl
import pytest

from tcpsweep.core.words import metrics
from tests.support.recipes import blocks
from tests.support.tools import module

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def made(recipes, tmp_path_factory):
    """The names that the page's recipes leave, and the folder in which they ran."""
    module("pandas")
    folder = tmp_path_factory.mktemp("recipes")
    names = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        (folder / "results").symlink_to(recipes / "results")
        for code in blocks("python"):
            exec(compile(code, f"docs/recipes.md: {code.splitlines()[0]}", "exec"), names)
    return names, folder


def test_every_recipe_gives_rows(made):
    names, _ = made
    frames = {name: frame for name, frame in names.items() if isinstance(frame, pl.DataFrame)}
    assert len(blocks("python")) >= 12 and len(frames) >= 12
    assert [name for name, frame in frames.items() if frame.is_empty()] == []
    assert names["frame"].shape[0] == 6 * 5 * 2
    assert names["array"].shape == (6 * 5 * 2, 2)
    for name in ("windows", "own", "queueing", "repeated", "drops", "gaps", "joined", "fair", "cwnd"):
        frame = names[name].drop("flow_variant", strict=False)  # null for packets of no flow
        assert not any(column.null_count() for column in frame), name
    assert names["ratios"]["ratio"].drop_nulls().len()


def test_the_recipes_of_figures_and_files_write_them(made):
    _, folder = made
    assert {path.name for path in folder.iterdir()} == {"results", "goodputs.svg", "windows.html", "everything.csv"}
    assert "<svg" in (folder / "goodputs.svg").read_text()[:200]
    assert "rtt_p99_s" in (folder / "everything.csv").read_text()


def test_recipes_agree_with_the_metrics_where_there_are_such(made):
    names, _ = made
    # After the warm-up, each half second has some 160 packets: the mean of their means is near the mean of all.
    late = names["queueing"].filter(pl.col("time_s") >= 2).group_by("variant", "delay_s").agg(pl.col("mean_s").mean())
    metric = names["sweep"].summary.filter(pl.col("metric") == "network_queueing_delay_mean_s").collect()
    both = late.join(metric, on=["variant", "delay_s"])
    assert both.height == 6
    assert both["mean_s"].to_list() == pytest.approx(both["mean"].to_list(), rel=0.05)
    # Each retransmitted packet of 1448 B counts.
    sent = names["repeated"]["bytes_per_run"] * 5
    assert (sent.round() % 1448 == 0).all()


def test_the_pages_claims_about_the_wide_table_are_true(recipes):
    wide = pl.read_csv(recipes / "results" / "sweeps" / "recipes" / "summary.csv")
    long = pl.read_parquet(recipes / "results" / "sweeps" / "recipes" / "summary.parquet")
    axes = {"variant", "delay_s", "flow_variant", "runs", "distinct_runs"}
    found = {re.sub("_(low|high)$", "", name) for name in wide.columns} - axes
    assert found == set(metrics.headline(long["metric"].unique())) <= set(metrics.headline(metrics.METRICS))
    assert long["metric"].n_unique() > 3 * len(found)
