# SPDX-License-Identifier: MIT
"""Colours and marks: told apart by everybody, on light, on dark and in grey, and the same in every figure."""

import itertools

import numpy as np
import pytest

from tcpsweep.core.figures import colour_palette, flow_colours, series_styles, time_panels
from tcpsweep.core.figures.series_styles import Style
from tcpsweep.core.sweep import axes
from tcpsweep.core.words import field_names
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.pairs import pair_charts
from tcpsweep.features.refine import turning_figures
from tests.support import synthetic
from tests.support.tools import ROOT

SINGLE = ["TcpNewReno", "TcpLinuxReno", "TcpCubic", "TcpBbr", "TcpVegas", "TcpIllinois", "TcpHighSpeed", "TcpScalable"]
MIXES = ["TcpNewReno+TcpCubic", "TcpIllinois+TcpHighSpeed", "TcpCubic+TcpBbr"]

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def lab(colours, sight=SIGHT["normal"]):
    """Colours in CIELAB (CIE 15, D65), as somebody with this sight sees them."""
    rgb = np.array([[int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in colours])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = np.clip(linear @ sight.T, 0, 1) @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    bent = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = bent.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def least_distance(points):
    first, second = np.triu_indices(len(points), 1)
    return np.linalg.norm(points[first] - points[second], axis=1).min()


@pytest.mark.parametrize(
    ("palette", "least", "least_in_grey"),
    [
        (colour_palette.PALETTE, 25, 7.5),
        (colour_palette.ON_DARK, 25, 7.4),
        (colour_palette.EVERY, 16, 0),  # with the colours of rare variants
        (colour_palette.EVERY_ON_DARK, 16, 0),
    ],
)
def test_any_two_colours_are_told_apart_with_any_sight_and_in_grey(palette, least, least_in_grey):
    assert min(least_distance(lab(palette, sight)) for sight in SIGHT.values()) >= least
    assert least_distance(lab(palette)) >= 25
    assert least_distance(lab(palette)[:, :1]) >= least_in_grey


def contrast(ground, colours):
    """The least contrast of colours to a ground (WCAG 2.2), by the luminance that CIELAB's lightness gives."""
    panel, *others = 0.05 + ((lab([ground, *colours])[:, 0] + 16) / 116) ** 3
    return min(max(other / panel, panel / other) for other in others)


def test_colours_have_a_contrast_of_three_to_the_ground():
    # WCAG 2.2, success criterion 1.4.11: 3 : 1 for what a chart is understood by.
    assert contrast("#1b1e22", colour_palette.EVERY_ON_DARK) >= 3
    for count, base in itertools.product(range(1, 9), colour_palette.PALETTE):
        flows = flow_colours.colours(["A"] * count, {"A": base})
        assert contrast("#ffffff", [colours.light for colours in flows]) >= 3, (base, count)
        assert contrast("#16181b", [colours.dark for colours in flows]) >= 3, (base, count)


def test_flows_of_a_variant_differ_in_lightness():
    assert len(set(flow_colours.colours(["A", "B", "A", "B", "A"], {"A": "#0072b2", "B": "#d55e00"}))) == 5


def test_each_series_has_a_look_of_its_own_and_a_variant_one_colour():
    found = series_styles.styles(synthetic.crossed(variant=[*SINGLE, *MIXES]))
    assert len({(style.colour, style.shape, tuple(style.dash)) for style in found.values()}) == len(found)
    assert found["TcpCubic in TcpNewReno+TcpCubic"].colour == found["TcpCubic"].colour
    assert found["TcpCubic in TcpNewReno+TcpCubic"].shape != found["TcpCubic"].shape
    assert len({(found[name].colour, found[name].shape) for name in SINGLE}) == 8


def test_a_variant_has_the_same_colour_and_shape_in_every_sweep():
    sweeps = [
        ["TcpBbr", "TcpCubic", "TcpMine"],
        ["TcpMine", "TcpCubic", "TcpBbr+TcpCubic", "TcpBbr"],
        [*colour_palette.VARIANTS],
    ]
    found = [series_styles.styles(synthetic.crossed(variant=each)) for each in sweeps]
    for name in ("TcpBbr", "TcpCubic"):
        assert len({(each[name].colour, each[name].shape) for each in found}) == 1
    every = found[-1]
    assert len({every[name].colour for name in colour_palette.VARIANTS if name != "TcpWestwood"}) == 17
    for each in found[:2]:
        assert each["TcpMine"].colour not in {every[name].colour for name in ("TcpBbr", "TcpCubic")}
    assert found[0]["TcpMine"] == found[1]["TcpMine"]
    assert found[1]["TcpBbr+TcpCubic"].colour not in {found[1][name].colour for name in sweeps[0]}


def test_every_variant_of_ns3_has_a_fixed_colour():
    ours = {path.stem for path in (ROOT / "ns3-scenarios" / "variants").glob("*.cc")}
    assert {*field_names.VARIANTS.values()} - ours <= {*colour_palette.VARIANTS}


# Each two series of one figure

SWEEPS = [
    ["TcpCubic", "TcpBbr", "TcpCubic+TcpBbr"],
    ["TcpNewReno", "TcpCubic", "TcpBbr", "TcpVegas", "TcpCubic+TcpBbr", "TcpNewReno+TcpVegas", "TcpCubic+TcpVegas"],
    [*SINGLE, *MIXES],
    [name for name in colour_palette.VARIANTS if name != "TcpWestwood"],
    ["TcpMine", "TcpOther", "TcpCubic", "TcpMine+TcpCubic", "TcpMine+TcpOther"],
    ["linux:cubic", "linux:bbr", "TcpCubic", "TcpBbr", "linux:cubic+TcpCubic", "TcpCubic+TcpBbr"],
]
OF_FLOWS = [
    ["TcpCubic", "TcpVegas"] * 2,
    ["TcpCubic", "TcpBbr"] * 4,
    ["TcpCubic", "TcpHighSpeed", "TcpVegas", "TcpNewReno"] * 2,
    ["TcpLinuxReno", "TcpLinuxReno", "TcpDctcp", "TcpLedbat"],
    ["TcpCubic"] * 8,
]


def alike(found, variant_of=lambda name: name):
    """The pairs of series that a reader may take for each other, by the name of each.

    Series of different variants need colours `APART` from each other. Any two need a lightness `GREY` apart, another
    shape, or another dash.
    """
    return [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(found.items(), 2)
        if (variant_of(one) != variant_of(other) and flow_colours.distance(a.colour, b.colour) < flow_colours.APART)
        or (
            abs(flow_colours.lightness(a.colour) - flow_colours.lightness(b.colour)) < flow_colours.GREY
            and (a.shape, a.dash) == (b.shape, b.dash)
        )
    ]


@pytest.mark.parametrize("variants", SWEEPS)
def test_series_with_marks_are_told_apart_with_and_without_colours(variants):
    """Of metrics, shares, planes, traffic and frontiers: their series are flows of variants, or whole mixes."""
    found = series_styles.styles(synthetic.crossed(variant=variants))
    mixes = [Mix.parse(each) for each in variants]
    flows = {name: found[name] for name in (axes.series(own, str(mix)) for mix in mixes for own in mix.variants)}
    assert alike(flows, lambda name: name.partition(" in ")[0]) == []
    assert alike({name: found[name] for name in variants}) == []
    # Marks without lines, such as those of planes, have no dash.
    points = {name: style._replace(dash=[1, 0]) for name, style in flows.items()}
    assert alike(points, lambda name: name.partition(" in ")[0]) == []


@pytest.mark.parametrize("variants", SWEEPS)
def test_lines_without_marks_are_told_apart(variants):
    """Of the distributions of slowdowns."""
    found = series_styles.styles(synthetic.crossed(variant=variants))
    of_lines = series_styles.of_lines({name: found[name]._replace(shape="") for name in variants})
    assert alike(of_lines) == []


@pytest.mark.parametrize("variants", OF_FLOWS)
def test_flows_are_told_apart_over_time(variants):
    bases = {name: colour_palette.EVERY[number] for name, number in colour_palette.VARIANTS.items()}
    lines = time_panels.styles({f"{name} {flow}": name for flow, name in enumerate(variants)} | {"queue": None}, bases)
    assert alike(lines, lambda label: label.partition(" ")[0]) == []
    for ground in range(2):  # light and dark, on a page without dashes
        drawn = [each[ground] for each in flow_colours.colours(variants, bases)]
        assert len({*drawn}) == len(variants)
        for (one, a), (other, b) in itertools.combinations(zip(variants, drawn, strict=True), 2):
            least = flow_colours.APART if one != other else flow_colours.GREY
            assert flow_colours.distance(a, b) >= least, (one, a, other, b)


def test_the_sides_of_heat_maps_and_of_crossovers_are_told_apart():
    assert flow_colours.distance(pair_charts.ABOVE, pair_charts.BELOW) >= flow_colours.APART
    styles = turning_figures.OTHER_STYLES | {
        str(sign): Style(colour_palette.PALETTE[number], shape, [])
        for number, (sign, shape) in enumerate(turning_figures.SHAPES.items())
    }
    assert alike(styles) == []
