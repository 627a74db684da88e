# SPDX-License-Identifier: MIT
"""The figures of metrics that a sweep file requests under `figures`, and their problems."""

import math
from collections.abc import Iterator

from tcpsweep.core.sweep import network_part
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.network_part import Part
from tcpsweep.core.sweep.requests import MetricFigureRequest, is_plane
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.sweepfile.asked import wanted_rows
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions
from tcpsweep.core.sweepfile.keys.sweep_fields import FigureFields
from tcpsweep.core.words import metric_names, metrics, quantity_forms, units

PARTS: tuple[network_part.Kind, ...] = ("link", "traffic", "group")
KEYS = ("title", "metric", "axis", "where", "panels", "scale", "width", *PARTS)
MOST_PANELS, MOST_SERIES = 24, 16
_MOST_NAMED = 8  # links or groups of traffic in a message
PANEL_PT = 70.0  # a panel's least width next to others, with its share of the axes


def metric_figure(scenario: str, figure: FigureFields) -> MetricFigureRequest:
    """A figure as the sweep file requests it."""
    kind = next((kind for kind in PARTS if getattr(figure, kind) is not None), None)
    return MetricFigureRequest(
        title=figure.title or "",
        metric=figure.metric or "",
        axis=figure.axis or "",
        where=conditions.wanted_values(scenario, figure.where or {}),
        panels=conditions.listed(figure.panels or []),
        scale=figure.scale,
        width_pt=float(units.quantity(figure.width, quantity_forms.POINTS)),
        part=network_part.part_named(kind, getattr(figure, kind)) if kind else None,
    )


def problems(path: KeyPath, written: FigureFields, sweep: Sweep) -> Iterator[Problem]:
    """A requested figure's problems."""
    figure = metric_figure(sweep.scenario, written)
    if (part := figure.part) is None:
        yield from _metric_problems((*path, "metric"), figure.metric, sweep)
    elif mistakes := list(_part_problems(path, written, ("metric", figure.metric), part, sweep)):
        yield from mistakes
        return
    rows, mistakes = wanted_rows.met(path, written.where or {}, figure.where, sweep)
    if mistakes:
        yield from mistakes
        return
    varying_axes = wanted_rows.varying(rows, sweep)
    mistakes = list(_axis_problems(path, written, figure, varying_axes, sweep))
    for number, name in enumerate(figure.panels):
        place = (*path, "panels", *([number] if isinstance(written.panels, list) else []))
        if name == figure.axis:
            mistakes.append(Problem(place, f"{name} is already the `axis`; remove it here"))
        elif name not in varying_axes:
            other_axes = [other for other in varying_axes if other != figure.axis]
            mistakes.append(wanted_rows.unknown_axis(place, name, other_axes, sweep))
    open_panels = [name for name in figure.panels if name in sweep.open_axes]
    mistakes += wanted_rows.unbounded(path, figure.where, open_panels, sweep)
    point_axes = [] if is_plane(figure, sweep.axes) else [figure.axis]
    yield from mistakes or _clarity_problems(path, figure, point_axes, rows, varying_axes)


def _axis_problems(
    path: KeyPath, written: FigureFields, figure: MetricFigureRequest, varying_axes: list[str], sweep: Sweep
) -> Iterator[Problem]:
    """An axis that is neither an axis of the sweep nor a metric of the figure's subject."""
    known_metrics = network_part.known_metrics(figure.part.kind if figure.part else None)
    if figure.axis == figure.metric:
        yield Problem((*path, "axis"), f"{figure.axis} is already the `metric`; choose another axis")
    elif is_plane(figure, sweep.axes) and figure.axis not in known_metrics:
        if figure.part:
            yield from _part_problems(path, written, ("axis", figure.axis), figure.part, sweep)
        else:
            yield from _metric_problems((*path, "axis"), figure.axis, sweep)
    elif not is_plane(figure, sweep.axes) and figure.axis not in varying_axes:
        yield wanted_rows.unknown_axis((*path, "axis"), figure.axis, varying_axes, sweep, known_metrics)


def _metric_problems(path: KeyPath, metric: str, sweep: Sweep) -> Iterator[Problem]:
    """The problem with a name that is not a metric, or a metric of traffic or links that the figure must name."""
    for part, words in ((Part("traffic", ""), "traffic"), (Part("link", ""), "a link")):
        if metric not in metrics.averaged() and metric in network_part.known_metrics(part.kind):
            part_names = ", ".join(network_part.parts_with_metric(part, metric, sweep.own)[:_MOST_NAMED])
            advice = f": add `{part.kind}: NAME`; there are {part_names}" if part_names else ", and the sweep has none"
            yield Problem(path, f"{metric} is a metric of {words}{advice}")
            return
    if metric not in metrics.averaged():
        yield wanted_rows.unknown_metric(path, metric)


def _part_problems(
    path: KeyPath, written: FigureFields, named: tuple[str, str], part: Part, sweep: Sweep
) -> Iterator[Problem]:
    """A part of the network that does not exist, or that lacks a metric; ``named`` is the metric's key, and it."""
    key, metric = named
    kinds = [kind for kind in PARTS if getattr(written, kind) is not None]
    if len(kinds) > 1:
        message = "a figure is about a `link`, about `traffic` or about a `group` of flows; write one of them"
        yield Problem((*path, kinds[1]), message)
    elif fault := network_part.fault(part, sweep.own):
        yield Problem((*path, part.kind), fault)
    elif metric not in (names := network_part.known_metrics(part.kind)):
        near = metric_names.did_you_mean(metric, names) or f"; it has {', '.join(names[:_MOST_NAMED])} and others"
        yield Problem((*path, key), f"{metric} is not a metric of {part.said}{near}")


def _clarity_problems(
    path: KeyPath, figure: MetricFigureRequest, point_axes: list[str], rows: list[Combination], varying_axes: list[str]
) -> Iterator[Problem]:
    """Points that would coincide, and more panels or series than a reader can distinguish."""
    row_at: dict[tuple[str, ...], Combination] = {}
    distinguished_axes = list(dict.fromkeys([*point_axes, *figure.panels, "variant"]))
    for row in rows:
        point = tuple(value_text(row, name) for name in distinguished_axes)
        if point in row_at:
            differing = [name for name in varying_axes if value_text(row, name) != value_text(row_at[point], name)]
            message = f"several simulations would share a point: they differ in {', '.join(differing)}"
            panels_advice = ", or give it to `panels`" if len(figure.panels) < 2 else ""
            yield Problem(path, f"{message}; choose one value with `where`{panels_advice}")
            return
        row_at[point] = row
    panel_counts = [len({value_text(row, name) for row in rows}) for name in figure.panels]
    if panel_counts and len(panel_counts) == 2 and panel_counts[0] * PANEL_PT > figure.width_pt - 30:
        most = int((figure.width_pt - 30) / PANEL_PT)
        message = f"{panel_counts[0]} columns do not fit into {figure.width_pt:g}pt; expected at most {most}"
        advice = "; write the other axis first" if panel_counts[1] <= most else "; write a larger `width`"
        yield Problem((*path, "panels"), message + advice)
    total = math.prod(panel_counts)
    if total > MOST_PANELS:
        yield Problem((*path, "panels"), f"expected at most {MOST_PANELS} panels, these make {total}; use `where`")
    variants = {value_text(row, "variant") for row in rows}
    if figure.axis != "variant" and "variant" not in figure.panels and len(variants) > MOST_SERIES:
        message = f"expected at most {MOST_SERIES} variants in a figure, this has {len(variants)}; choose with `where`"
        yield Problem(path, message)
