# SPDX-License-Identifier: MIT
"""Axes of a bandwidth on links that follow a trace, which replaces it: their combinations would be the same network."""

from typing import Any

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Combination
from tcpsweep.sweepfile import sections
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import dotted_names

_NONE = "none"


def problems(combinations: list[Combination], data: dict[str, Any]) -> list[Problem]:
    """A problem for each axis of a bandwidth with several values where no direction of the link has a use for it."""
    found = []
    for name in dict.fromkeys(name for row in combinations for name in row):
        parts = dotted_names.split(name)
        if parts is None or parts.kind != "links" or parts.field.removeprefix(dotted_names.BACK) != "bandwidth":
            continue
        unused = {str(row[name]) for row in combinations if name in row and _is_replaced(row, parts)}
        if len(unused) > 1:
            message = f"{parts.thing} follows a `trace`, which replaces the bandwidth; leave out this axis or the trace"
            found.append(Problem(sections.place(data, name), message, at_key=True))
    return found


def _is_replaced(row: Combination, parts: dotted_names.Dotted) -> bool:
    """Whether each direction of the link that has this bandwidth follows a trace."""

    def said(field: str, default: Any) -> Any:
        return network_graph.value(row, "links", parts.thing, field, default)

    forth = said("trace", _NONE)
    back = said(dotted_names.BACK + "trace", forth)
    traces = [back]
    if not parts.field.startswith(dotted_names.BACK):
        traces = [forth] if said(dotted_names.BACK + "bandwidth", None) is not None else [forth, back]
    return all(each != _NONE and not (isinstance(each, list) and _NONE in each) for each in traces)
