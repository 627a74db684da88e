# SPDX-License-Identifier: MIT
"""A part of the network, a link, or a group of flows or traffic, as the subject of an expectation or a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tcpsweep.core.sweep import flow_groups, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.words import link_words, metrics, spelling

if TYPE_CHECKING:
    import polars as pl

_LINK_PREFIXES = ("utilisation", "network_queueing_delay_", "queue_")
_OTHER_LINK_METRICS = ("binds", "lost_packets", "congestion_loss", "random_loss", "ecn_marks")
# The prefix of metrics that only one kind of traffic has; other names belong to all kinds of transfers.
_PREFIXES = {
    "arrivals": ("slowdown_", "fct_", "transfers_"),
    "incast": ("round_",),
    "on-off": ("burst_time_",),
    "web": ("page_load_time_",),
    "video": ("startup_delay_", "stalled_", "stalls", "mean_bitrate_", "bitrate_switches"),
    "realtime": ("lost_share", "late_share", "missed_share", "realtime_delay_"),
}
JAIN = "jain"  # the metric of a whole network that a group of flows also has
_MOST_NAMED = 8
_NO_DELAY = "0s"  # names do not depend on the delay
_COLUMNS = ("combination", "flow_variant", "metric", "runs", "distinct_runs", "mean", "sd", "low", "high")


Kind = Literal["link", "traffic", "group"]


@dataclass(frozen=True)
class Part:
    """A part of the network."""

    kind: Kind
    name: str
    # A link's direction: "forward" from its first node to its second, or "reverse"
    direction: Literal["forward", "reverse"] = "forward"

    @property
    def said(self) -> str:
        """The part in words, such as "link first back"."""
        return f"{self.kind} {link_words.said(self.name, self.direction)}"


def part_named(kind: Kind, words: str) -> Part:
    """The part with this name, such as "first" or "first back"."""
    name, direction = link_words.read(words)
    return Part(kind, name, "reverse" if direction == "reverse" else "forward")


def part_names(part: Part, row: Combination) -> list[str]:
    """The names of a combination's parts of this kind; of links, only those with a queue in this direction.

    None without a custom topology. Groups of flows are parts if they take different paths; else flows count together.
    """
    if not network_graph.has_named_parts(row):
        return []
    if part.kind == "traffic":
        return network_graph.things(row, "traffic")
    if part.kind == "group":
        return network_graph.things(row, "flows") if flow_groups.differ(row) else []
    forth = part.direction == "forward"
    links = network_graph.network_of(row, _NO_DELAY).links
    return [link.name for link in links if network_graph.link_value(row, link, "queue", forth, "") != "none"]


def part_names_of_rows(part: Part, rows: Sequence[Combination]) -> list[str]:
    """The `part_names` of all these combinations together."""
    return list(dict.fromkeys(name for row in rows for name in part_names(part, row)))


def parts_with_metric(part: Part, metric: str, rows: Sequence[Combination]) -> list[str]:
    """The parts in `part_names_of_rows` that have a metric; for traffic, its kind decides."""
    if part.kind in ("link", "group"):
        return part_names_of_rows(part, rows)
    kinds = {kind for kind, begins in _PREFIXES.items() if metric.startswith(begins)} or {*_PREFIXES} - {"realtime"}
    return list(
        dict.fromkeys(
            name
            for row in rows
            for name in part_names(part, row)
            if network_graph.value(row, "traffic", name, "kind") in kinds
        )
    )


def fault(part: Part, rows: Sequence[Combination]) -> str | None:
    """The problem with a part's name, if no combination has it."""
    names = part_names_of_rows(part, rows)
    if part.name in names:
        return None
    with_queue = " with a queue" if part.kind == "link" else ""
    if not names and part.kind == "group":
        return "no combination has groups of flows that take different paths; name a variant instead"
    if not names:
        return f"no combination has a {part.kind}{with_queue} to name; remove it"
    missing = f"there is no {part.kind} {part.name!r}{with_queue}"
    return spelling.message_with_hint(
        missing, f"there are {some_names(names)}", spelling.did_you_mean(part.name, names)
    )


def link_metrics() -> list[str]:
    """The names of the whole network's metrics that are taken from one link."""
    return [name for name in metrics.METRICS if name.startswith(_LINK_PREFIXES)]


def some_names(names: Sequence[str]) -> str:
    """The first of some names."""
    return ", ".join([*names[:_MOST_NAMED], *(["…"] if len(names) > _MOST_NAMED else [])])


def known_metrics(kind: str | None) -> list[str]:
    """The names of a link's metrics, or those of a group of traffic or flows; by default variants' and networks'."""
    if kind == "traffic":
        return [name for name, metric in metrics.METRICS.items() if metric.scope == "traffic"]
    if kind == "link":
        return [name for name in metrics.METRICS if name in _OTHER_LINK_METRICS or name.startswith(_LINK_PREFIXES)]
    if kind == "group":
        return [name for name in metrics.averaged() if metrics.METRICS[name].by_variant or name == JAIN]
    return metrics.averaged()


def summary(part: Part, summaries: pl.LazyFrame, tables: Mapping[str, pl.LazyFrame]) -> pl.LazyFrame:
    """The means of a part, in the form that the table `summary` has.

    Parameters
    ----------
    summaries : LazyFrame
        The sweep's table `summary`.
    tables : dict of LazyFrame
        The sweep's tables of parts, by the part's kind; a table may be missing or have no columns.

    Returns
    -------
    LazyFrame
        ``combination``, ``flow_variant`` (null except for groups of flows), ``metric``, ``runs``, ``distinct_runs``,
        ``mean``, ``sd``, ``low``, ``high``.
    """
    import polars as pl

    part_table = tables.get(part.kind)
    if part_table is None or part.kind not in part_table.collect_schema():
        return summaries.select(_COLUMNS).clear()
    part_rows = part_table.filter(pl.col(part.kind) == part.name)
    if part.kind == "link":
        part_rows = part_rows.filter(pl.col("direction").cast(pl.String) == part.direction)
    if part.kind != "group":
        part_rows = part_rows.with_columns(flow_variant=pl.lit(None, pl.String))
    return part_rows.select(_COLUMNS)
