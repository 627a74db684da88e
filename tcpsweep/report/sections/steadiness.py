# SPDX-License-Identifier: MIT
"""Warm-up, flows that are not steady, and runs that are identical: how far the means can be trusted."""

import polars as pl

from tcpsweep.analysis import stationarity
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import quantities


def warmup(sweep: PlannedSweep, summary: pl.DataFrame) -> str:
    """How the warm-up's end is set or found, in words."""
    asked = {quantities.value_text(row["warmup"]) for row in sweep.combinations}
    words = [f"{text}, given" for text in sorted(asked - {"auto"})]
    if "auto" in asked:
        found = summary.filter(pl.col("metric") == "warmup_s")["mean"].drop_nulls().to_list()
        means = f", means of {min(found):.3g} to {max(found):.3g} s" if found else ""
        missed = "where none was found, half the time, and its flows count as not steady"
        words.append(f"found in each run by MSER-5{means}; {missed}")
    return "; ".join(words)


def unsteady(sweep: PlannedSweep, flows: pl.DataFrame) -> list[tuple[str, str, int, int]]:
    """The combinations and variants that have flows that are not steady.

    The combination in words, the variant, how many of its flows are not steady, how many flows of it are known.
    """
    if "steady" not in flows.columns:
        return []
    known = flows.filter(pl.col("steady").is_not_null())
    counts = known.group_by("combination", "flow_variant", maintain_order=True).agg(
        few=(pl.col("steady") == 0).sum(), flows=pl.len()
    )
    texts = axes.variant_and_network_texts(sweep)
    return [
        (axes.axes_in_words(texts[combination]), variant, few, all_flows)
        for combination, variant, few, all_flows in counts.filter(pl.col("few") > 0).iter_rows()
    ]


def trending(sweep: PlannedSweep, flows: pl.DataFrame) -> list[tuple[str, str, str]]:
    """The combinations and variants whose goodput has a trend that all runs share.

    The combination in words, the variant, its trend over the whole time with the interval.
    """
    if "goodput_trend" not in flows.columns:
        return []
    forward = flows.filter(pl.col("direction") == "forward").rename({"goodput_trend": "trend"})
    texts = axes.variant_and_network_texts(sweep)
    return [
        (axes.axes_in_words(texts[combination]), variant, f"{mean:+.0%} ({low:+.0%} to {high:+.0%})")
        for combination, variant, mean, low, high, _ in stationarity.trends(forward).filter("trending").iter_rows()
    ]


def unknown(flows: pl.DataFrame) -> int:
    """How many flows cannot be told to be steady or not."""
    return flows["steady"].null_count() if "steady" in flows.columns else flows.height


def repeated(sweep: PlannedSweep, flows: pl.DataFrame) -> list[tuple[str, int, int]]:
    """The combinations that have runs that are identical to the byte: in words, distinct runs, runs."""
    texts = axes.variant_and_network_texts(sweep)
    counts = flows.group_by("combination", maintain_order=True).agg(
        distinct=pl.col("digest").n_unique(), runs=pl.col("run").n_unique()
    )
    return [
        (axes.axes_in_words(texts[number]), distinct, runs)
        for number, distinct, runs in counts.iter_rows()
        if distinct < runs
    ]
