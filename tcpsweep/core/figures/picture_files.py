# SPDX-License-Identifier: MIT
"""A figure as files: its chart as SVG, PNG and PDF, its data as CSV, and LaTeX that sets it with its caption."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep.core.figures import vega_library
from tcpsweep.core.figures.charts import VegaLite
from tcpsweep.core.words import markup, quantity_forms, spreadsheet_text

FORMATS = ("svg", "png", "pdf", "tex")
PNG_SCALE = 2  # pixels of the picture for each of the screen's
POINTS_PER_PIXEL = 72 / 96
# PDF counts 72 points to the inch, LaTeX a few more.
PDF_POINTS = 72 / float(quantity_forms.POINTS_PER_INCH)
_SIZE = re.compile(r'\b(width|height)="([0-9.]+)"')
_HEAD = re.compile(r'width="[0-9.]+" height="[0-9.]+" viewBox="[-0-9. ]+"')
_TAG = re.compile(r"<[^>]*>")
_LONG_NUMBER = re.compile(r"(?<=\.[0-9]{2})[0-9]+")


@dataclass(frozen=True)
class Figure:
    """A figure."""

    name: str  # of its files
    group: str  # the heading that the report shows it under
    title: str
    caption: str
    kind: str  # "metric", "map", "time" or "cell"
    chart: VegaLite
    data: pl.DataFrame | None = None  # the drawn values, as a table to write next to it
    width: float | None = None  # of its files, in pixels; None for as wide as the chart
    metrics: Sequence[str] = ()  # that it shows, and in which combinations
    combinations: Sequence[int] = ()


def render(figure: Figure, folder: Path) -> list[str]:
    """Write a figure's files to a folder. Returns their names in the order of `FORMATS`, and last the data's name."""
    import vl_convert

    svg = drawn_svg(figure.chart, figure.width)
    names = [f"{figure.name}.{kind}" for kind in FORMATS]
    contents = [
        svg.encode(),
        vl_convert.svg_to_png(svg, scale=PNG_SCALE),
        vl_convert.svg_to_pdf(_on_paper(svg)),
        markup.figure(figure.name, figure.title, figure.caption).encode(),
    ]
    for name, content in zip(names, contents, strict=True):
        (folder / name).write_bytes(content)
    if figure.data is not None:
        names.append(f"{figure.name}.csv")
        spreadsheet_text.harmless(figure.data).write_csv(folder / names[-1])
    return names


def drawn_svg(chart: VegaLite, width: float | None) -> str:
    """A chart as SVG, of a width in pixels; None for as wide as the chart is."""
    import vl_convert

    svg = short_numbers(vl_convert.vegalite_to_svg(chart, vl_version=vega_library.VL_VERSION))
    return svg if width is None else widened(svg, width)


def short_numbers(svg: str) -> str:
    """An SVG with its coordinates cut to the hundredth of a pixel, its texts unchanged."""
    return _TAG.sub(lambda tag: _LONG_NUMBER.sub("", tag[0]), svg)


def widened(svg: str, width: float) -> str:
    """An SVG in the middle of a given width, in pixels; a wider one is made smaller."""
    svg_width, height = (float(match[2]) for match in list(_SIZE.finditer(svg))[:2])
    if svg_width > width:
        size = f'width="{width:g}" height="{height * width / svg_width:.2f}" viewBox="0 0 {svg_width:g} {height:g}"'
    else:
        size = f'width="{width:g}" height="{height:g}" viewBox="{(svg_width - width) / 2:g} 0 {width:g} {height:g}"'
    return _HEAD.sub(lambda _: size, svg, count=1)


def pixels(points: float) -> float:
    """A length on paper, in points, as pixels."""
    return points / POINTS_PER_PIXEL


def _on_paper(svg: str) -> str:
    """An SVG with its size on paper in PDF's points."""
    return _SIZE.sub(lambda match: f'{match[1]}="{float(match[2]) * POINTS_PER_PIXEL * PDF_POINTS}"', svg, count=2)
