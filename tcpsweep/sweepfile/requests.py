# SPDX-License-Identifier: MIT
"""All figures and tables that a sweep file asks for, and the problems with them."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.sweep.asked import Asked
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.sweepfile import figure_requests, metric_figure_requests, sound_parts, table_requests
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem


def of(data: dict[str, Any]) -> Asked:
    """What a sweep file asks for.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `problems` found nothing.
    """
    return Asked(figure_requests.of(data), metric_figure_requests.of(data), table_requests.of(data))


def problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with the figures and tables that a sweep file asks for.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `schema_check.problems` found nothing.
    sweep : Sweep
    """
    found = list(_misplaced(data))
    placed = sound_parts.of(data, found)
    if placed is None:
        return found
    others = (
        figure_requests.problems(placed.data, sweep)
        + metric_figure_requests.problems(placed.data, sweep)
        + table_requests.problems(placed.data, sweep)
    )
    return found + list(placed.in_file(others))


def _misplaced(data: dict[str, Any]) -> Iterator[Problem]:
    """Figures that are of neither kind or of both, and keys of the other kind."""
    of_means, of_traces = set(metric_figure_requests.KEYS), set(figure_requests.KEYS)
    for number, figure in enumerate(data.get("figures", [])):
        path: KeyPath = ("figures", number)
        if ("show" in figure) == ("metric" in figure):
            both = "not both" if "show" in figure else "this has neither"
            yield Problem(path, f"give `show`, for traces over time, or `metric`, for its means; {both}")
            continue
        own, other = (of_means, "traces over time") if "metric" in figure else (of_traces, "means of a metric")
        for key in figure:
            if key not in own:
                message = f"this is for figures of {other}; expected one of {', '.join(sorted(own))}"
                yield Problem((*path, key), message, at_key=True)
        for key in ("axis",) if "metric" in figure else ("title",):
            if key not in figure:
                yield Problem(path, f"the key {key!r} is missing")
