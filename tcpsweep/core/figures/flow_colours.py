# SPDX-License-Identifier: MIT
"""The colours of a cell's flows, on a light and on a dark ground: a variant's colour and its shades, all apart."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tcpsweep.core.figures import colour_palette

# Colours of different variants are this far apart in OKLab. In grey, lines without marks whose lightness is closer than
# `GREY` need different dashes.
APART, GREY = 0.09, 0.04
# Lightness in OKLab, between which several flows of a variant spread: 3 : 1 and more against the ground.
_ON_LIGHT, _ON_DARK = (0.36, 0.64), (0.62, 0.92)
_DARK_LEAST, _DARK_SPAN = 0.56, 0.3  # the lightness of black on a dark ground, and how much lighter white is
_CLEAR = 0.14  # how far a shade is from other colours, if there is room
_STEPS, _PALES = 14, (1.0, 0.45)  # of shades: lighter and lighter, and in full and in pale colour
_TEXT_TURNS = 0.62  # the lightness from which on dark text has more contrast than white
_Triple: TypeAlias = tuple[float, float, float]


class Colours(NamedTuple):
    """A flow's colour on a light ground and on a dark one, such as "#0072b2"."""

    light: str
    dark: str


def colours(variants: Sequence[str], bases: Mapping[str, str]) -> list[Colours]:
    """The colours of flows by their variants; ``bases`` are the variants' in the sweep's figures ("#0072b2")."""
    light = [_clamped(bases[variant], *_ON_LIGHT) for variant in variants]
    dark = [_clamped(on_dark(bases[variant]), *_ON_DARK) for variant in variants]
    return [Colours(*pair) for pair in zip(apart(light, *_ON_LIGHT), apart(dark, *_ON_DARK), strict=True)]


def apart(wanted: Sequence[str], darkest: float, lightest: float) -> list[str]:
    """A colour for each wanted one: itself if it is `APART` from the others, else a shade of it clear of them.

    Without one, it is the shade farthest from them. Shades are as light as ``darkest`` to ``lightest``, in OKLab. The
    first of several equal ones is the first to choose.
    """
    chosen: dict[int, str] = {}
    for number in sorted(range(len(wanted)), key=lambda number: wanted[:number].count(wanted[number])):
        shades = [wanted[number], *_shades(wanted[number], darkest, lightest)]
        distances = {shade: min((distance(shade, other) for other in chosen.values()), default=1.0) for shade in shades}
        clear_shades = (shade for shade in shades if distances[shade] >= (APART if shade == wanted[number] else _CLEAR))
        chosen[number] = next(clear_shades, max(distances, key=distances.__getitem__))
    return [chosen[number] for number in range(len(wanted))]


def _shades(colour: str, darkest: float, lightest: float) -> list[str]:
    """Shades of a colour in a range of lightness, the nearest to its own first, and then the same ones paler."""
    light, a, b = _oklab(colour)
    steps = [darkest + (lightest - darkest) * step / _STEPS for step in range(_STEPS + 1)]
    steps.sort(key=lambda step: abs(step - light))
    return [_hex((step, pale * a, pale * b)) for pale in _PALES for step in steps]


def distance(one: str, other: str) -> float:
    """How far two colours are apart in OKLab; white and black are 1 apart."""
    return math.dist(_oklab(one), _oklab(other))


def lightness(colour: str) -> float:
    """The lightness of a colour in OKLab, from 0 to 1; in grey, nothing else is left of it."""
    return _oklab(colour)[0]


def _clamped(colour: str, darkest: float, lightest: float) -> str:
    """A colour as light as it is, within a range."""
    lightness, a, b = _oklab(colour)
    return _hex((min(max(lightness, darkest), lightest), a, b))


def on_dark(colour: str) -> str:
    """A colour for a dark ground from one for a light ground; outside the palette, a lighter colour of its hue."""
    if colour in colour_palette.EVERY:
        return colour_palette.EVERY_ON_DARK[colour_palette.EVERY.index(colour)]
    lightness, a, b = _oklab(colour)
    return _hex((_DARK_LEAST + _DARK_SPAN * lightness, a, b))


def text_on(colour: str) -> str:
    """White or near black: the one with more contrast on this colour."""
    return "#ffffff" if lightness(colour) < _TEXT_TURNS else "#16181b"


# Björn Ottosson, A perceptual color space for image processing, 2020.
_TO_CONE = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_FROM_LAB = ((1, 0.3963377774, 0.2158037573), (1, -0.1055613458, -0.0638541728), (1, -0.0894841775, -1.2914855480))
_FROM_CONE = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def _product(matrix: Sequence[_Triple], vector: Sequence[float]) -> list[float]:
    return [sum(factor * value for factor, value in zip(row, vector, strict=True)) for row in matrix]


@functools.lru_cache(1000)
def _oklab(colour: str) -> _Triple:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    lightness, a, b = _product(_TO_LAB, [math.cbrt(channel) for channel in _product(_TO_CONE, linear)])
    return lightness, a, b


def _hex(lab: _Triple) -> str:
    """An OKLab colour for a screen; a colour outside the screen's range becomes paler until it fits."""
    lightness, a, b = lab
    for tenths in range(10, -1, -1):
        linear = _product(
            _FROM_CONE, [channel**3 for channel in _product(_FROM_LAB, (lightness, a * tenths / 10, b * tenths / 10))]
        )
        if all(-1e-3 <= channel <= 1.001 for channel in linear):
            break
    channels = (min(max(channel, 0), 1) for channel in linear)
    encoded = (
        12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055 for channel in channels
    )
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in encoded)
