# SPDX-License-Identifier: MIT
"""The colour, shape and dash of each variant and mix, the same in all figures of a sweep."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tcpsweep.figures import chart_look, colour_palette
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.words.mixes import Mix


class Style(NamedTuple):
    """How a series is drawn: colour, shape of its points, and dash of its line in pixels drawn and left out."""

    colour: str
    shape: str
    dash: list[int]


Styles: TypeAlias = dict[str, Style]
"""The name of each series, as `axes.series` says it, to its style."""


def styles(sweep: Sweep) -> Styles:
    """The style of each series that a sweep's figures may show.

    A variant has one colour everywhere, and one shape outside mixes. The variants of a mix share the mix's dashed line
    and its shape, which no variant outside mixes has.
    """
    mixes = list(dict.fromkeys(Mix.parse(str(row["variant"])) for row in sweep.combinations))
    single = list(dict.fromkeys(variant for mix in mixes for variant in mix.variants))
    names = list(dict.fromkeys([*single, *map(str, mixes)]))
    colours = dict(zip(names, colour_palette.colours(len(names)), strict=True))
    shapes = {name: chart_look.SHAPES[number % len(chart_look.SHAPES)] for number, name in enumerate(names)}
    found = {name: Style(colours[name], shapes[name], chart_look.SOLID) for name in single}
    for number, mix in enumerate(mix for mix in mixes if mix.is_mixed):
        own = {shapes[variant] for variant in mix.variants}
        while shapes[str(mix)] in own and len(own) < len(chart_look.SHAPES):
            after = chart_look.SHAPES.index(shapes[str(mix)]) + 1
            shapes[str(mix)] = chart_look.SHAPES[after % len(chart_look.SHAPES)]
        # With its own dash and shape, its colour must be none of theirs either.
        spare = [
            colour for colour in colour_palette.PALETTE if colour not in {colours[variant] for variant in mix.variants}
        ]
        if spare and colours[str(mix)] not in spare:
            colours[str(mix)] = spare[number % len(spare)]
        whole, dash = str(mix), chart_look.DASHES[number % len(chart_look.DASHES)]
        found[whole] = Style(colours[whole], shapes[whole], dash)
        for variant in mix.variants:
            found[axes.series(variant, whole)] = Style(colours[variant], shapes[whole], dash)
    return found
