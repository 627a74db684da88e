# SPDX-License-Identifier: MIT
"""Wireless networks: their stations' positions, and settings that do not fit together."""

import math
import re
from collections.abc import Collection, Iterator

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweepfile.keys import schema

RANGE = "RangePropagationLossModel"
# Each standard's bands, from IEEE 802.11-2020 and 802.11ax-2021. ns-3 has the same; its default is the first.
_BANDS = {
    "802.11a": ("5GHz",),
    "802.11b": ("2.4GHz",),
    "802.11g": ("2.4GHz",),
    "802.11n": ("2.4GHz", "5GHz"),
    "802.11ac": ("5GHz",),
    "802.11ax": ("5GHz", "2.4GHz", "6GHz"),
}
# Standards up to 802.11g, and ns-3's rate controls that know only their rates.
_LEGACY_STANDARDS = ("802.11a", "802.11b", "802.11g")
_LEGACY_RATE_CONTROLS = {
    f"{name}WifiManager"
    for name in ("Aarf", "Aarfcd", "Amrr", "Aparf", "Arf", "Cara", "Minstrel", "Onoe", "Parf", "Rraa", "Rrpaa")
}
_CHANNEL = "ns3::WifiPhy::ChannelSettings"
_BAND_IN_CHANNEL = re.compile(r"BAND_(2_4|5|6)GHZ")
_DATA_MODE = "ns3::ConstantRateWifiManager::DataMode"


def problems(row: Combination, fixed: Collection[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Contradictions within a combination, if its scenario is wireless: the parameters at fault, and the message.

    ``fixed`` are the parameters with one value for all combinations of the sweep file.
    """
    if "stations" not in row:
        return
    stations = row["stations"]
    if row["flows"] > stations**2:
        yield (
            ("flows", "stations"),
            f"{row['flows']} flows are more than the {stations**2} pairs of {stations} stations on each side",
        )
    if row["propagation"] == RANGE:
        needed_m = max(nearest_m(row))
        if row["coverage"] < needed_m:
            least_m = math.ceil(needed_m * 1000) / 1000
            yield (
                ("coverage", "spacing"),
                f"{row['coverage']} m reaches no station of one side from its router; expected at least {least_m:g} m",
            )
    elif "coverage" in fixed or row["coverage"] != schema.raw()["parameters"]["coverage"]["default"]:
        yield (
            ("coverage",),
            f"this is only for {RANGE}; set the attributes ns3::{row['propagation']}::… instead",
        )
    if "standard" in row:
        yield from _wifi_problems(row)


def nearest_m(row: Combination) -> Iterator[float]:
    """The distance from each side's router to its nearest station on the grid, in m: left, right."""
    stations = row["stations"]
    for first_of_side in (0, stations + 1):
        router = _place_m(row, first_of_side + stations)
        yield min(math.dist(_place_m(row, first_of_side + i), router) for i in range(stations))


def _place_m(row: Combination, grid_number: int) -> tuple[float, float]:
    """The coordinates of a grid position, in m: x, y."""
    return row["spacing"] * (grid_number % row["columns"]), row["spacing"] * (grid_number // row["columns"])


def _wifi_problems(row: Combination) -> Iterator[tuple[tuple[str, ...], str]]:
    """Standards, bands and rate controls that do not fit together."""
    standard, band, control = row["standard"], row["band"], row["rate_control"]
    band_in_channel = _BAND_IN_CHANNEL.search(str(row.get(_CHANNEL, "")))
    if band != "auto" and _CHANNEL in row:
        yield ("band",), f"{_CHANNEL} already sets the band; remove one of them"
    elif band_in_channel:
        band = f"{band_in_channel[1].replace('_', '.')}GHz"
    if band != "auto" and band not in _BANDS[standard]:
        parameter = _CHANNEL if band_in_channel else "band"
        yield (parameter, "standard"), f"{standard} is not in {band}; it is in {' and '.join(_BANDS[standard])}"
    used_band = _BANDS[standard][0] if band == "auto" else band
    if control == "ConstantRateWifiManager" and used_band == "2.4GHz" and _DATA_MODE not in row:
        yield (
            ("rate_control", "standard"),
            f"its default rate, 802.11a's 6 Mbit/s, does not exist at 2.4 GHz; write {_DATA_MODE}",
        )
    if control in _LEGACY_RATE_CONTROLS and standard not in _LEGACY_STANDARDS:
        yield (
            ("rate_control", "standard"),
            f"{control} does not know the rates of {standard}; "
            "write another, such as IdealWifiManager or MinstrelHtWifiManager",
        )


INGREDIENT = Ingredient(clashes=problems)
