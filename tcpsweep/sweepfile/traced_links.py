# SPDX-License-Identifier: MIT
"""Axes of a bandwidth on links that follow a trace, which replaces it: their combinations would be the same network."""

import itertools
from typing import Any

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Combination
from tcpsweep.sweepfile import sections
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import dotted_names

_NONE = "none"


def problems(combinations: list[Combination], data: dict[str, Any]) -> list[Problem]:
    """A problem for each axis of a bandwidth with several values where no direction of the link has a use for it.

    Combinations whose traces differ are different networks, as where several traces are zipped with bandwidths.
    """
    found = []
    for name in dict.fromkeys(itertools.chain.from_iterable(combinations)):
        parts = dotted_names.split(name)
        if parts is None or parts.kind != "links" or parts.field.removeprefix(dotted_names.BACK) != "bandwidth":
            continue
        unused: dict[str, set[str]] = {}  # the bandwidths beside each trace, or each two
        for row in combinations:
            if name in row and (traces := _replacing(row, parts)):
                unused.setdefault(str(traces), set()).add(str(row[name]))
        if any(len(values) > 1 for values in unused.values()):
            message = f"{parts.thing} follows a `trace`, which replaces the bandwidth; leave out this axis or the trace"
            found.append(Problem(sections.place(data, name), message, at_key=True))
    return found


def _replacing(row: Combination, parts: dotted_names.Dotted) -> list[Any]:
    """The traces of each direction of the link that has this bandwidth; empty unless all of them follow one."""

    def said(field: str, default: Any) -> Any:
        return network_graph.value(row, "links", parts.thing, field, default)

    forth = said("trace", _NONE)
    back = said(dotted_names.BACK + "trace", forth)
    traces: list[Any] = [back]
    if not parts.field.startswith(dotted_names.BACK):
        traces = [forth] if said(dotted_names.BACK + "bandwidth", None) is not None else [forth, back]
    return [] if any(each == _NONE or (isinstance(each, list) and _NONE in each) for each in traces) else traces
