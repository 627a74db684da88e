# SPDX-License-Identifier: MIT
"""The sweep files of a ranking, which are made from a file with its networks."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcpsweep.core.campaigns import derived_sweeps
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweep.matching import Value
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.words import units
from tcpsweep.core.words.mixes import JOINT
from tcpsweep.core.words.user_error import UserError

LEAST_NETWORKS = 6  # a comparison has one value for each network
# What the sweep simulates besides its networks. Its other keys are about its own report.
_KEPT_KEYS = ("scenario", "network", "fixed", "attributes", "tcp", "corrections", "repetitions", "runs", "seed", "ns3")
_SHARED_KEYS = ("scenario", "network", "fixed", "seed")
_ADAPTIVE_KEYS = ("precision", "refine", "search")  # give the candidates different repetitions or networks


@dataclass(frozen=True)
class Networks:
    """The network conditions of a sweep file: the names of what varies, and the values of each condition."""

    document: Document
    names: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]

    @functools.cached_property
    def rows(self) -> list[tuple[str, ...]]:
        """The values as text."""
        return [tuple(map(units.value_text, values)) for values in self.values]

    def common(self, other: Networks) -> int:
        """The number of network conditions that another file also has, with the same seed and other settings."""
        one, two = ({key: networks.document.data.get(key) for key in _SHARED_KEYS} for networks in (self, other))
        return len({*self.rows} & {*other.rows}) if one == two and self.names == other.names else 0

    def words(self, number: int) -> str:
        """A network in words, such as "bandwidth 10Mbps, delay 20ms"."""
        return ", ".join(f"{name} {value}" for name, value in zip(self.names, self.rows[number], strict=True))


def networks(file: Path) -> Networks:
    """The networks of a sweep file, in its order, without its variants.

    Raises `UserError` if a ranking cannot use the file.
    """
    document = checked_sweep.opened(file)
    sweep = checked_sweep.at_points(document, ())
    if key := next((key for key in _ADAPTIVE_KEYS if key in document.data), None):
        raise UserError(f"{file}: a ranking cannot use `{key}`; write `repetitions` instead")
    names = tuple(name for name in sweep.axes if name != "variant")
    if any(name not in row for row in sweep.own for name in names):
        raise UserError(f"{file}: an attribute that only some network conditions set; give it a value in all of them")
    values_of_text = {
        tuple(units.value_text(row[name]) for name in names): tuple(row[name] for name in names) for row in sweep.own
    }
    if len(values_of_text) < LEAST_NETWORKS:
        raise UserError(f"{file}: {len(values_of_text)} network conditions; a ranking needs {LEAST_NETWORKS} or more")
    if any(row.get("flows", 0) < 2 for row in sweep.own):
        raise UserError(f"{file}: flows: expected 2 or more, because candidates also run next to the baseline")
    return Networks(document, names, tuple(values_of_text.values()))


def write(folder: Path, name: str, of: Networks, rows: Sequence[int], variants: Sequence[str], baseline: str) -> Path:
    """Write the sweep file of some networks, given by their numbers, and return its path.

    ``variants`` are names or paths of C++ files. Each runs alone, and in turn with the baseline.
    """
    data = derived_sweeps.data_elsewhere(of.document)
    kept: dict[str, Any] = {key: data[key] for key in _KEPT_KEYS if key in data}
    for key in ("fixed", "attributes"):
        if key in kept:
            kept[key] = {name: value for name, value in kept[key].items() if name not in (*of.names, "variant")}
    mixes = [f"{variant}{JOINT}{baseline}" for variant in variants]
    zipped = {name: [of.values[row][position] for row in rows] for position, name in enumerate(of.names)}
    axes = {"grid": {"variant": [*variants, baseline, *mixes]}, "zip": zipped}
    origin = f"{Path(of.document.name).name} by `tcpsweep rank`"
    return derived_sweeps.write(folder, {"sweep": name, "repetitions": 1, **kept, **axes, "pages": False}, origin)
