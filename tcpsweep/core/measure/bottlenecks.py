# SPDX-License-Identifier: MIT
"""The link that limits each flow, and the reference link for the numbers of the whole network.

Both depend only on the network, so they are the same for all variants in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tcpsweep.core.measure import traced_ways
from tcpsweep.core.parse.parsed import Way
from tcpsweep.core.words import link_words

_EQUAL_FACTOR = 1 + 1e-9
_ACKS_SHARE = 0.5  # share of the bytes of the busiest direction; a direction with less other traffic carries ACKs


def limiting(paths: Mapping[int, Sequence[Way]], rates_bps: Mapping[Way, float]) -> dict[int, Way]:
    """The link that limits each flow, by the flow's number, under max-min fairness.

    The link with the least equal share is full first. It gives this share to its flows, and the other flows share the
    remaining rates. If several links on a flow's path are full, the first one counts, because its queue grows.

    Bertsekas and Gallager: Data Networks. 2nd edition, 1992, section 6.5.2: max-min flow control.
    """
    left_bps = dict(rates_bps)
    flows_on: dict[Way, set[int]] = {}
    for flow, path in paths.items():
        for way in path:
            flows_on.setdefault(way, set()).add(flow)
    limits: dict[int, Way] = {}
    while flows_on:
        shares = {way: left_bps[way] / len(flows) for way, flows in flows_on.items()}
        least_share = min(shares.values())
        full_links = {way for way, share in shares.items() if share <= least_share * _EQUAL_FACTOR}
        for flow in set[int]().union(*(flows_on[way] for way in full_links)):
            limits[flow] = next(way for way in paths[flow] if way in full_links)
            for way in set(paths[flow]):
                left_bps[way] = max(0.0, left_bps[way] - least_share)
                flows_on[way].discard(flow)
        flows_on = {way: flows for way, flows in flows_on.items() if flows}
    return limits


def rates(run: dict[str, Any], from_s: float, to_s: float) -> dict[Way, float]:
    """The mean rate of each direction of a link that flows cross, in bit/s, between two times."""
    steps = (step for flow in run["flows"] for step in flow["path"])
    rates_bps = {(step["link"], step["direction"]): float(step["bandwidth_bps"]) for step in steps}
    return rates_bps | {way.key: way.mean_rate(from_s, to_s) for way in traced_ways.ways_in_record(run)}


def of_flows(run: dict[str, Any], rates_bps: Mapping[Way, float]) -> dict[int, Way]:
    """The link that limits each forward flow; none if paths are random, or if one flow crosses no link."""
    if is_drawn(run):
        return {}
    forward = (flow for flow in run["flows"] if flow["direction"] == "forward")
    return limiting({flow["flow"]: traced_ways.path_ways(flow["path"]) for flow in forward}, rates_bps)


def is_drawn(run: dict[str, Any]) -> bool:
    """Whether each run draws the flows' paths at random among the paths with the fewest links."""
    return str(run.get("parameters", {}).get("ecmp", "false")) == "true"


def group(run: dict[str, Any], link: str) -> str:
    """The name of a link in the sweep file; several identical links may share it."""
    name, _, number = link.rpartition("-")
    return name if number.isdigit() and f"links.{name}.between" in run.get("parameters", {}) else link


def names(run: dict[str, Any], limits: Mapping[int, Way], crossed: Sequence[Way]) -> dict[int, str]:
    """The name of each forward flow's bottleneck, such as "radio", "radio back" or "hop-1".

    Flows share a bottleneck if one link limits them. There are two exceptions, named as from `link_words.any_of`:

    - If all flows share a link, then links of one group that limit single flows count as one, such as hosts' own links.
    - If paths are random, all flows count together, because any of the links ``crossed`` may limit them.

    ``limits`` are from `of_flows`.
    """
    forward = [flow for flow in run["flows"] if flow["direction"] == "forward"]
    if is_drawn(run):
        any_of = link_words.any_of(dict.fromkeys(_pattern(run, link) for link, _ in crossed))
        return {flow["flow"]: any_of for flow in forward} if crossed else {}
    paths = [set(traced_ways.path_ways(flow["path"])) for flow in forward]
    name_by_way = {way: link_words.said(*way) for way in limits.values()}
    if paths and set.intersection(*paths):
        flow_counts = Counter(limits.values())
        of_one_flow = [way for way in name_by_way if flow_counts[way] == 1]
        patterns = {way: link_words.said(_pattern(run, way[0]), way[1]) for way in of_one_flow}
        counts = Counter(patterns.values())
        name_by_way |= {way: link_words.any_of([name]) for way, name in patterns.items() if counts[name] > 1}
    return {flow: name_by_way[way] for flow, way in limits.items()}


def _pattern(run: dict[str, Any], link: str) -> str:
    """A link's name; of a link of a group, the pattern for all links of the group, such as "hop-*"."""
    group_name = group(run, link)
    return f"{group_name}-*" if group_name != link else link


def reference(
    run: dict[str, Any],
    crossed: Sequence[Way],
    paths: Iterable[Sequence[Way]],
    limits: Mapping[int, Way],
    rates_bps: Mapping[Way, float],
    sent_bytes: Mapping[Way, int],
) -> Way | None:
    """The reference link for the numbers of the whole network, from the links ``crossed``, in their order.

    It is a link that all forward flows share, or else a link that limits the most flows. Ties go to the link that
    limits the most flows, then to the slowest, then to the first. Without flows, it is a link that traffic names, or
    else the slowest link, in the direction of the data.
    """
    if not crossed:
        return None
    limited_flows = Counter(limits.values())
    path_sets = [set(path) for path in paths]
    candidates = [way for way in crossed if path_sets and all(way in path for path in path_sets)] or list(crossed)
    if not path_sets:
        names = {value for name, value in run.get("parameters", {}).items() if _names_link(name)}
        candidates = [way for way in candidates if way[0] in names] or candidates
    most_bytes = max((sent_bytes.get(way, 0) for way in candidates), default=0)

    def rank(way: Way) -> tuple[int, float, bool]:
        is_light = not path_sets and sent_bytes.get(way, 0) < _ACKS_SHARE * most_bytes
        return -limited_flows[way], rates_bps[way], is_light

    return min(candidates, key=rank)


def _names_link(parameter: str) -> bool:
    return parameter.startswith("traffic.") and parameter.endswith(".link")
