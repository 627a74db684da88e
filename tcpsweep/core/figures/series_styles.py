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
    mixes = list(dict.fromkeys(Mix.parse(str(row["variant"])) for row in sweep.combinations))
    single = list(dict.fromkeys(variant for mix in mixes for variant in mix.variants))
    numbers = {name: colour_palette.VARIANTS[name] for name in single if name in colour_palette.VARIANTS}
    colours = {name: colour_palette.EVERY[number] for name, number in numbers.items()}
    shapes = {name: chart_look.SHAPES[number % len(chart_look.SHAPES)] for name, number in numbers.items()}
    spare_colours = _spare([colour_palette.EVERY[number] for number in colour_palette.OTHERS], colours)
    spare_shapes = _spare(chart_look.SHAPES, shapes)
    others = [mix for mix in dict.fromkeys([*map(_only, single), *mixes]) if str(mix) not in numbers]
    for number, mix in enumerate(others):
        colours[str(mix)] = _not_of(mix, spare_colours, colours, number)
        shapes[str(mix)] = _not_of(mix, spare_shapes, shapes, number)
    by_series = {name: Style(colours[name], shapes[name], chart_look.SOLID) for name in single}
    for number, mix in enumerate(mix for mix in mixes if mix.is_mixed):
        whole, dash = str(mix), chart_look.DASHES[number % len(chart_look.DASHES)]
        by_series[whole] = Style(colours[whole], shapes[whole], dash)
        in_mix: list[str] = []
        for variant in mix.variants:
            alone = [*in_mix, *(shapes[other] for other in mix.variants)]
            elsewhere = [style.shape for style in by_series.values() if style.colour == colours[variant]]
            free = [
                shape
                for others in ([*alone, *elsewhere], alone, in_mix)
                for shape in [shapes[whole], *chart_look.SHAPES]
                if shape not in others
            ]
            in_mix.append(next(iter(free), shapes[whole]))
            by_series[axes.series(variant, whole)] = Style(colours[variant], in_mix[-1], dash)
    return by_series


def printed(by_series: Styles, names: Mapping[str, str]) -> Styles:
    """Styles by the series' names for print, from `axes.names_for_print`."""
    return {names.get(name, name): style for name, style in by_series.items()}


def of_lines(by_series: Styles) -> Styles:
    """Styles of lines without marks: where one is as light as an earlier one, its dash differs."""
    line_styles: Styles = {}
    for name, style in by_series.items():
        alike = [
            other.dash
            for other in line_styles.values()
            if abs(flow_colours.lightness(other.colour) - flow_colours.lightness(style.colour)) < flow_colours.GREY
        ]
        dashes = [style.dash, chart_look.SOLID, *chart_look.DASHES]
        line_styles[name] = style._replace(dash=next((dash for dash in dashes if dash not in alike), style.dash))
    return line_styles


def colour(by_series: Styles, series: str) -> str:
    """The colour of a series; grey for one without a style."""
    return by_series[series].colour if series in by_series else NO_SERIES


def _only(variant: str) -> Mix:
    return Mix((variant,))


def _spare(every: list[str], taken: dict[str, str]) -> list[str]:
    """Colours or shapes, with those that are taken last."""
    return sorted(every, key=lambda look: look in taken.values())


def _not_of(mix: Mix, spare: list[str], taken: dict[str, str], number: int) -> str:
    """The colour or shape of the other variant or mix of this number: none of its own variants has it."""
    of_variants = {taken[variant] for variant in mix.variants if variant in taken}
    first = number % len(spare)
    return next((look for look in [*spare[first:], *spare[:first]] if look not in of_variants), spare[first])
