# SPDX-License-Identifier: MIT
"""Records in a sweep besides its combinations: captures, presets, files, effects."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Capture:
    """The sweep file's ``capture``: the traces, and the files kept besides the Parquet."""

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

    They begin at the number ``first``, one for each of the combinations ``of``, each simulated only in run ``run``.
    """

    first: int
    of: list[int]
    run: int


@dataclass(frozen=True)
class Caveat:
    """Why numbers are worth less: its name, the metrics, or families of these, that it touches, and its effect.

    Also its source, the numbers of the combinations that it touches, the correction that removes it, and the variants
    that are the reason.
    """

    name: str
    metrics: list[str]
    effect: str
    source: str
    combinations: list[int]
    correction: str | None = None
    variants: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PresetSetting:
    """A preset's value of an ns-3 attribute, its source, and the correction that makes it unnecessary."""

    value: str
    source: str
    unless: str | None = None


@dataclass(frozen=True)
class Preset:
    """A named set of values for ns-3 attributes: its purpose, and each attribute's setting."""

    description: str
    settings: dict[str, PresetSetting]


@dataclass(frozen=True)
class InputFile:
    """A file that parameters name: its path for the simulator, and the hash of its content."""

    path: str
    content: str


@dataclass(frozen=True)
class ShareOrValue:
    """A bound on a metric: the smallest effect of interest, or the largest half-width of an interval.

    If share and value are set, the larger one is the bound.
    """

    share: float = 0.0  # of a mean's distance from the origin; 0 without a share
    absolute: float = 0.0  # in the metric's unit; 0 without a value
    origin: float = 0.0  # 1 if the share is of the distance to 1, the largest value

    def at(self, mean: float) -> float:
        """The bound at a mean."""
        return max(self.share * abs(mean - self.origin), self.absolute)
