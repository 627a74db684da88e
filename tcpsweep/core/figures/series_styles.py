# SPDX-License-Identifier: MIT
"""The colour, shape and dash of each variant and mix, the same in all figures of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from tcpsweep.core.figures import chart_look, colour_palette, flow_colours
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words.mixes import Mix


class Style(NamedTuple):
    """How a series is drawn: colour, shape of its points, and dash of its line in pixels drawn and left out."""

    colour: str
    shape: str
    dash: list[int]


NO_SERIES = "#7a7a7a"
Styles: TypeAlias = dict[str, Style]
"""The name of each series, as `axes.series` says it, to its style."""


def styles(sweep: Sweep) -> Styles:
    """The style of each series that a sweep's figures may show.

    ns-3's variants have the same colour and shape in all sweeps. Other variants and mixes take colours and shapes that
    these leave. In a mix, a variant has its own colour, the mix's dash, and a shape that neither the mix's other
    variants nor it elsewhere have, as long as there are enough.
    """
    mixes = list(dict.fromkeys(row.mix for row in sweep.combinations))
    variants = list(dict.fromkeys(variant for mix in mixes for variant in mix.variants))
    palette_numbers = {name: colour_palette.VARIANTS[name] for name in variants if name in colour_palette.VARIANTS}
    colours = {name: colour_palette.EVERY[number] for name, number in palette_numbers.items()}
    shapes = {name: chart_look.SHAPES[number % len(chart_look.SHAPES)] for name, number in palette_numbers.items()}
    spare_colours = _untaken_first([colour_palette.EVERY[number] for number in colour_palette.OTHERS], colours)
    spare_shapes = _untaken_first(chart_look.SHAPES, shapes)
    further = [mix for mix in dict.fromkeys([*map(_mix_of_one, variants), *mixes]) if str(mix) not in palette_numbers]
    for number, mix in enumerate(further):
        colours[str(mix)] = _look_unlike_own_variants(mix, spare_colours, colours, number)
        shapes[str(mix)] = _look_unlike_own_variants(mix, spare_shapes, shapes, number)
    by_series = {name: Style(colours[name], shapes[name], chart_look.SOLID) for name in variants}
    for number, mix in enumerate(mix for mix in mixes if mix.is_mixed):
        mix_name, dash = str(mix), chart_look.DASHES[number % len(chart_look.DASHES)]
        by_series[mix_name] = Style(colours[mix_name], shapes[mix_name], dash)
        shapes_in_mix: list[str] = []
        for variant in mix.variants:
            avoided = [*shapes_in_mix, *(shapes[other] for other in mix.variants)]
            elsewhere = [style.shape for style in by_series.values() if style.colour == colours[variant]]
            free_shapes = [
                shape
                for excluded in ([*avoided, *elsewhere], avoided, shapes_in_mix)
                for shape in [shapes[mix_name], *chart_look.SHAPES]
                if shape not in excluded
            ]
            shapes_in_mix.append(next(iter(free_shapes), shapes[mix_name]))
            by_series[axes.series(variant, mix_name)] = Style(colours[variant], shapes_in_mix[-1], dash)
    return by_series


def printed(by_series: Styles, names: Mapping[str, str]) -> Styles:
    """Styles by the series' names for print, from `axes.names_for_print`."""
    return {names.get(name, name): style for name, style in by_series.items()}


def of_lines(by_series: Styles) -> Styles:
    """Styles of lines without marks: where one is as light as an earlier one, its dash differs."""
    line_styles: Styles = {}
    for name, style in by_series.items():
        taken_dashes = [
            other.dash
            for other in line_styles.values()
            if abs(flow_colours.lightness(other.colour) - flow_colours.lightness(style.colour)) < flow_colours.GREY
        ]
        dashes = [style.dash, chart_look.SOLID, *chart_look.DASHES]
        line_styles[name] = style._replace(dash=next((dash for dash in dashes if dash not in taken_dashes), style.dash))
    return line_styles


def colour(by_series: Styles, series: str) -> str:
    """The colour of a series; grey for one without a style."""
    return by_series[series].colour if series in by_series else NO_SERIES


def _mix_of_one(variant: str) -> Mix:
    return Mix((variant,))


def _untaken_first(looks: list[str], taken: dict[str, str]) -> list[str]:
    """Colours or shapes, with those that are taken last."""
    return sorted(looks, key=lambda look: look in taken.values())


def _look_unlike_own_variants(mix: Mix, spare: list[str], taken: dict[str, str], number: int) -> str:
    """A look for a variant or mix: the first of ``spare``, from ``number`` on, that none of its own variants has."""
    of_variants = {taken[variant] for variant in mix.variants if variant in taken}
    first = number % len(spare)
    return next((look for look in [*spare[first:], *spare[:first]] if look not in of_variants), spare[first])
