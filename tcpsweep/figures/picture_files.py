# SPDX-License-Identifier: MIT
"""A figure as files: its chart rendered to SVG, PNG and PDF, and LaTeX that sets it with its caption."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.figures import vega_library
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.words import markup

FORMATS = ("svg", "png", "pdf", "tex")
PNG_SCALE = 2  # pixels of the picture for each of the screen's
POINTS_PER_PIXEL = 72 / 96
_SIZE = re.compile(r'\b(width|height)="([0-9.]+)"')
_TAG = re.compile(r"<[^>]*>")
_LONG_NUMBER = re.compile(r"(?<=\.[0-9]{2})[0-9]+")


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes
    ----------
    name : str
        The name of its files.
    group : str
        The heading that the report shows it under.
    title, caption : str
    kind : str
        "metric", "map", "time" or "cell".
    chart : dict
        Vega-Lite.
    """

    name: str
    group: str
    title: str
    caption: str
    kind: str
    chart: VegaLite


def render(figure: Figure, folder: Path) -> list[str]:
    """Write a figure's files to a folder.

    Returns
    -------
    list of str
        The files' names, in the order of `FORMATS`.
    """
    import vl_convert

    svg = short_numbers(vl_convert.vegalite_to_svg(figure.chart, vl_version=vega_library.VL_VERSION))
    names = [f"{figure.name}.{kind}" for kind in FORMATS]
    contents = [
        svg.encode(),
        vl_convert.svg_to_png(svg, scale=PNG_SCALE),
        vl_convert.svg_to_pdf(_on_paper(svg)),
        markup.figure(figure.name, figure.title, figure.caption).encode(),
    ]
    for name, content in zip(names, contents, strict=True):
        (folder / name).write_bytes(content)
    return names


def short_numbers(svg: str) -> str:
    """An SVG with its coordinates cut to the hundredth of a pixel, its texts unchanged."""
    return _TAG.sub(lambda tag: _LONG_NUMBER.sub("", tag[0]), svg)


def _on_paper(svg: str) -> str:
    """An SVG with its size on paper in points, the unit that PDF counts in."""
    return _SIZE.sub(lambda match: f'{match[1]}="{float(match[2]) * POINTS_PER_PIXEL}"', svg, count=2)
