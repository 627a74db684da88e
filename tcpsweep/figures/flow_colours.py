# SPDX-License-Identifier: MIT
"""The colours of a cell's flows, on a light and on a dark ground: a variant's colour, lighter from flow to flow."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tcpsweep.figures import colour_palette

# Lightness in OKLab, between which several flows of a variant spread: 3 : 1 and more against the ground.
_ON_LIGHT, _ON_DARK = (0.36, 0.64), (0.62, 0.92)
_DARK_LEAST, _DARK_SPAN = 0.56, 0.3  # the lightness of black on a dark ground, and how much lighter white is
_STEP = 0.12  # from one flow to the next, if there is room
_TEXT_TURNS = 0.62  # the lightness from which on dark text has more contrast than white
_Three: TypeAlias = tuple[float, float, float]


class Colours(NamedTuple):
    """A flow's colour on a light ground and on a dark one, such as "#0072b2"."""

    light: str
    dark: str


def colours(variants: Sequence[str], bases: Mapping[str, str]) -> list[Colours]:
    """The colours of flows by their variants; ``bases`` are the variants' in the sweep's figures ("#0072b2")."""
    found, seen = [], dict.fromkeys(variants, 0)
    for variant in variants:
        number, count = seen[variant], variants.count(variant)
        seen[variant] += 1
        light, dark = bases[variant], on_dark(bases[variant])
        found.append(Colours(_at(light, number, count, *_ON_LIGHT), _at(dark, number, count, *_ON_DARK)))
    return found


def on_dark(colour: str) -> str:
    """A colour for a dark ground from one for a light ground; outside the palette, a lighter colour of its hue."""
    if colour in colour_palette.EVERY:
        return colour_palette.EVERY_ON_DARK[colour_palette.EVERY.index(colour)]
    lightness, a, b = _oklab(colour)
    return _hex((_DARK_LEAST + _DARK_SPAN * lightness, a, b))


def _at(colour: str, number: int, count: int, darkest: float, lightest: float) -> str:
    """A colour with the lightness of flow ``number`` of ``count``; they lie around its own as far as there is room."""
    lightness, a, b = _oklab(colour)
    spread = min(lightest - darkest, _STEP * (count - 1))
    first = min(max(lightness - spread / 2, darkest), lightest - spread)
    return _hex((first + spread * number / max(1, count - 1), a, b))


def text_on(colour: str) -> str:
    """White or near black: the one with more contrast on this colour."""
    return "#ffffff" if _oklab(colour)[0] < _TEXT_TURNS else "#16181b"


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


def _times(matrix: Sequence[_Three], vector: Sequence[float]) -> list[float]:
    return [sum(factor * value for factor, value in zip(row, vector, strict=True)) for row in matrix]


def _oklab(colour: str) -> _Three:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    lightness, a, b = _times(_TO_LAB, [math.cbrt(part) for part in _times(_TO_CONE, linear)])
    return lightness, a, b


def _hex(lab: _Three) -> str:
    """An OKLab colour for a screen; a colour outside the screen's range becomes paler until it fits."""
    lightness, a, b = lab
    for tenths in range(10, -1, -1):
        linear = _times(
            _FROM_CONE, [part**3 for part in _times(_FROM_LAB, (lightness, a * tenths / 10, b * tenths / 10))]
        )
        if all(-1e-3 <= part <= 1.001 for part in linear):
            break
    parts = (min(max(part, 0), 1) for part in linear)
    coded = (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in parts)
    return "#" + "".join(f"{round(255 * part):02x}" for part in coded)
