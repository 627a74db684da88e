# SPDX-License-Identifier: MIT
"""The records that a sweep is made of besides its combinations: what is captured, presets, files, effects."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Capture:
    """What is traced, and what is kept besides the Parquet, as the sweep file's ``capture`` says."""

    traces: list[str]
    queue: bool
    keep_raw: bool
    pcap: str
    snaplen: str | int
    ascii: bool
    anim: bool
    text: bool = False
    flow_monitor: bool = True

    @property
    def is_decoded(self) -> bool:
        """Whether there are captures to decode."""
        return self.pcap != "none" or self.ascii


@dataclass(frozen=True)
class Published:
    """Combinations in the setting of a published study.

    They begin at the number ``first``, one for each of the combinations ``of``, each simulated in run ``run`` alone.
    """

    first: int
    of: list[int]
    run: int


@dataclass(frozen=True)
class PresetSetting:
    """The value that a preset gives an ns-3 attribute, its source, and the correction with which it is not needed."""

    value: str
    source: str
    unless: str | None = None


@dataclass(frozen=True)
class Preset:
    """A named set of values for ns-3 attributes: what it is for, and each attribute's setting."""

    description: str
    settings: dict[str, PresetSetting]


@dataclass(frozen=True)
class InputFile:
    """A file that parameters name: its path as the simulator is given it, and the hash of what it holds."""

    path: str
    content: str


@dataclass(frozen=True)
class ShareOrValue:
    """A bound on a metric: the smallest effect worth naming, or half the width that an interval may have.

    Where both are given, the larger one is the bound.
    """

    share: float = 0.0  # of a mean's absolute value; 0 where it is a value
    absolute: float = 0.0  # in the metric's unit; 0 where it is a share
