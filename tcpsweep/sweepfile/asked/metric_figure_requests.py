# SPDX-License-Identifier: MIT
"""The figures of metrics that a sweep file asks for under `figures`, and the problems with them."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.sweep import axes, network_part
from tcpsweep.sweep.matching import Combination
from tcpsweep.sweep.network_part import Part
from tcpsweep.sweep.requests import MetricFigureRequest, is_plane
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.sweepfile.asked import wanted_rows
from tcpsweep.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.sweepfile.keys import conditions
from tcpsweep.words import metric_names, metrics

KEYS = ("title", "metric", "axis", "where", "panels", "scale", "width", "link", "traffic")
MOST_FIGURES, MOST_PANELS, MOST_SERIES = 60, 24, 16
_MOST_NAMED = 8  # links or groups of traffic in a message
PANEL_PT = 70.0  # the least room for a panel beside others, its part of the axes included


def metric_figures(data: dict[str, Any]) -> list[MetricFigureRequest]:
    """The figures of metrics that a sweep file asks for."""
    return [_metric_figure(data["scenario"], figure) for _, figure in _written(data)]


def _written(data: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return [(number, figure) for number, figure in enumerate(data.get("figures", [])) if "metric" in figure]


def _metric_figure(scenario: str, figure: dict[str, Any]) -> MetricFigureRequest:
    panels = figure.get("panels", [])
    return MetricFigureRequest(
        title=figure.get("title", ""),
        metric=figure["metric"],
        axis=figure["axis"],
        where=conditions.wanted_values(scenario, figure.get("where", {})),
        panels=panels if isinstance(panels, list) else [panels],
        scale=figure.get("scale", "auto"),
        width_pt=wanted_rows.width_pt(figure),
        part=_part(figure),
    )


def _part(figure: dict[str, Any]) -> Part | None:
    """The link or the traffic that a figure is about."""
    if "link" in figure:
        return network_part.part_named("link", figure["link"])
    return network_part.part_named("traffic", figure["traffic"]) if "traffic" in figure else None


def metric_figure_problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with the figures of metrics that a sweep file asks for."""
    found: list[Problem] = []
    written = _written(data)
    for number, figure in written:
        found += _problems(("figures", number), figure, _metric_figure(sweep.scenario, figure), sweep)
    if len(written) > MOST_FIGURES:
        message = f"expected at most {MOST_FIGURES} figures of metrics, got {len(written)}"
        found.append(Problem(("figures",), message, at_key=True))
    return found


def _problems(path: KeyPath, written: dict[str, Any], figure: MetricFigureRequest, sweep: Sweep) -> Iterator[Problem]:
    if (part := figure.part) is None:
        if figure.metric not in metrics.averaged():
            yield _of_a_part((*path, "metric"), figure.metric, sweep) or wanted_rows.unknown_metric(
                (*path, "metric"), figure.metric
            )
    elif wrong := list(_unfit(path, written, "metric", part, sweep)):
        yield from wrong
        return
    if wrong := list(wanted_rows.unmet(path, written, figure.where, sweep)):
        yield from wrong
        return
    rows = wanted_rows.met(figure.where, sweep)
    if not rows:
        yield Problem((*path, "where"), "no cell meets all of these conditions")
        return
    there = wanted_rows.varying(rows, sweep)
    wrong = list(_wrong_axis(path, written, figure, there, sweep))
    for number, name in enumerate(figure.panels):
        place = (*path, "panels", *([number] if isinstance(written["panels"], list) else []))
        if name == figure.axis:
            wrong.append(Problem(place, f"{name} is the `axis` already"))
        elif name not in there:
            rest = [other for other in there if other != figure.axis]
            wrong.append(wanted_rows.unknown_axis(place, name, rest, sweep))
    opened = [name for name in figure.panels if name in sweep.open_axes]
    wrong += wanted_rows.unbounded(path, figure.where, opened, sweep)
    of_axis = [] if is_plane(figure, sweep.axes) else [figure.axis]
    yield from wrong or _unclear(path, figure, of_axis, rows, there)


def _wrong_axis(
    path: KeyPath, written: dict[str, Any], figure: MetricFigureRequest, there: list[str], sweep: Sweep
) -> Iterator[Problem]:
    """An axis that is none of the sweep's, and no metric of what the figure is about."""
    known = network_part.known_metrics(figure.part.kind if figure.part else None)
    if figure.axis == figure.metric:
        yield Problem((*path, "axis"), f"{figure.axis} is the `metric` already")
    elif is_plane(figure, sweep.axes) and figure.axis not in known:
        if figure.part:
            yield from _unfit(path, written, "axis", figure.part, sweep)
        else:
            place = (*path, "axis")
            yield _of_a_part(place, figure.axis, sweep) or wanted_rows.unknown_metric(place, figure.axis)
    elif not is_plane(figure, sweep.axes) and figure.axis not in there:
        yield wanted_rows.unknown_axis((*path, "axis"), figure.axis, there, sweep, known)


def _of_a_part(path: KeyPath, metric: str, sweep: Sweep) -> Problem | None:
    """That a metric is one of traffic or of a link, whose name the figure must say."""
    for part, words in ((Part("traffic", ""), "traffic"), (Part("link", ""), "a link")):
        if metric in network_part.known_metrics(part.kind):
            there = network_part.parts_with_metric(part, metric, sweep.own)
            if not there:
                return Problem(path, f"{metric} is a metric of {words}, and the sweep has none such")
            message = (
                f"{metric} is a metric of {words}: add `{part.kind}: NAME`; there are {', '.join(there[:_MOST_NAMED])}"
            )
            return Problem(path, message)
    return None


def _unfit(path: KeyPath, written: dict[str, Any], key: str, part: Part, sweep: Sweep) -> Iterator[Problem]:
    """A link or traffic that is not there, or that has no such metric as stands at a key."""
    metric = written[key]
    if "link" in written and "traffic" in written:
        yield Problem((*path, "traffic"), "a figure is about a `link` or about `traffic`; write one of them")
    elif fault := network_part.fault(part, sweep.own):
        yield Problem((*path, part.kind), fault)
    elif metric not in (known := network_part.known_metrics(part.kind)):
        near = metric_names.did_you_mean(metric, known)
        yield Problem((*path, key), f"{metric} is no metric of {part.said}{near}")


def _unclear(
    path: KeyPath, figure: MetricFigureRequest, of_axis: list[str], rows: list[Combination], there: list[str]
) -> Iterator[Problem]:
    """Points that would lie over each other, and more panels or series than can be told apart."""
    seen: dict[tuple[str, ...], Combination] = {}
    shown = list(dict.fromkeys([*of_axis, *figure.panels, "variant"]))
    for row in rows:
        at = tuple(axes.value_text(row, name) for name in shown)
        if at in seen:
            apart = [name for name in there if axes.value_text(row, name) != axes.value_text(seen[at], name)]
            message = f"several cells would have one point: they differ in {', '.join(apart)}"
            room = ", or give it to `panels`" if len(figure.panels) < 2 else ""
            yield Problem(path, f"{message}; choose one value with `where`{room}")
            return
        seen[at] = row
    counts = [len({axes.value_text(row, name) for row in rows}) for name in figure.panels]
    if counts and len(counts) == 2 and counts[0] * PANEL_PT > figure.width_pt - 30:
        most = int((figure.width_pt - 30) / PANEL_PT)
        message = f"{counts[0]} columns have no room in {figure.width_pt:g}pt; expected at most {most}"
        turned = "; give the other axis first" if counts[1] <= most else "; say a larger `width`"
        yield Problem((*path, "panels"), message + turned)
    total = counts[0] * (counts[1] if len(counts) > 1 else 1) if counts else 1
    if total > MOST_PANELS:
        yield Problem((*path, "panels"), f"expected at most {MOST_PANELS} panels, these make {total}; use `where`")
    variants = {axes.value_text(row, "variant") for row in rows}
    if figure.axis != "variant" and "variant" not in figure.panels and len(variants) > MOST_SERIES:
        message = f"expected at most {MOST_SERIES} variants in a figure, this has {len(variants)}; choose with `where`"
        yield Problem(path, message)
