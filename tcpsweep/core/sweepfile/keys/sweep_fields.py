# SPDX-License-Identifier: MIT
"""The keys that every sweep file may have, whichever features there are."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from tcpsweep.core.contact.fields import UNIQUE, Either, Fields, Keyword, Later, Names, OneOf, OneOfTypes, form
from tcpsweep.core.words import column_meanings

ALL_TRACES = tuple(column_meanings.TRACES)


class FigureFields(Fields):
    """A figure that the file asks for."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None
    """The figure's title. Default for a figure of a metric: the metric's title."""
    metric: str | None = None
    """The metric whose means are shown, with intervals."""
    axis: str | None = None
    """The horizontal axis: an axis of the sweep, such as bandwidth or variant, or another metric, such as owd_p95_s."""
    link: str | None = None
    """The link to show, such as `first`, or `first back` for its other direction. Default: the whole network."""
    traffic: str | None = None
    """The group of traffic to show."""
    group: str | None = None
    """The group of flows to show, where groups take different paths."""
    panels: Annotated[Annotated[list[str], Field(min_length=1, max_length=2), UNIQUE] | str, Either("array")] | None = (
        None
    )
    """One panel for each value of this axis. Of two axes, the first makes columns and the second rows."""
    scale: Literal["auto", "linear", "log", "cut"] = "auto"
    """The scale of the metric's axis. auto is logarithmic if the metric has a unit and its means span a factor of more
    than 30. cut is linear, and need not begin at 0.
    """
    width: Annotated[str, form("width")] = "252pt"
    """The width on paper, in pt, in, cm or mm, from 150pt to 1200pt."""
    show: (
        Annotated[
            list[
                Literal[
                    "window", "cwnd", "rtt", "acked", "goodput", "throughput", "in_flight", "queue", "queueing_delay"
                ]
            ],
            Field(min_length=1),
            UNIQUE,
        ]
        | None
    ) = None
    """The panels, from top to bottom."""
    where: Later = None
    """Which simulations, a condition as in `only`. Default: all."""
    each: Names | None = None
    """One figure for each value of this axis, or of these axes. Default: one figure."""
    from_: Annotated[str, form("time")] = Field(default="0s", alias="from", examples=["10s"])
    """The beginning of the time shown."""
    to: Annotated[str, form("duration")] | None = Field(default=None, examples=["20s"])
    """The end of the time shown. Default: the end of the simulation."""
    run: Annotated[int, Field(ge=0)] | None = None
    """The run to show. Default: the first finished run of each combination."""
    published: bool = False
    """Whether it shows runs in the setting of the published study instead of the sweep's own runs."""
    interval: Annotated[str, form("duration")] | None = Field(default=None, examples=["100ms"])
    """The interval for goodput and throughput, from a thousandth of the time shown to all of it. Default: a
    hundredth.
    """


class TableFields(Fields):
    """A table that the file asks for."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """The table's title, which also names its files."""
    columns: Annotated[list[str], Field(min_length=1), UNIQUE]
    """The columns from left to right: parameters and metrics. Every axis in which rows differ must be a column."""
    where: Later = None
    """Which simulations, a condition as in `only`. Default: all."""
    digits: (
        Annotated[
            Annotated[dict[str, Annotated[int, Field(ge=0, le=6)]], Field(min_length=1)]
            | Annotated[int, Field(ge=0, le=6)],
            Either("object"),
        ]
        | None
    ) = None
    """Digits after the decimal point, for all metrics or by metric. Default: two digits of the interval's
    half-width.
    """
    intervals: bool = True
    """Whether means have their 95 % intervals."""


class CaptureFields(Fields):
    """Traces, and files kept besides the Parquet."""

    traces: Annotated[list[Annotated[str, OneOf(ALL_TRACES)]], UNIQUE] = Field(default=list(ALL_TRACES))
    """The traces of each flow. A metric without its trace has no value: goodput and fairness need received_bytes,
    throughput needs ip_received_bytes, and one-way delay needs owd_s.
    """
    queue: bool = True
    """The bottleneck's queue: a row for each packet that leaves it or is dropped or marked."""
    flow_monitor: bool = True
    """ns-3's FlowMonitor, which takes a tenth of the simulator's time. Without it, the simulator counts flows itself,
    the table flow_monitor is empty, and some consistency checks are missing.
    """
    keep_raw: bool = False
    """Whether raw files, such as captures, are kept in results/raw/ after their Parquet is made."""
    pcap: Literal["none", "bottleneck", "all"] = "none"
    """Where packets are captured: at no interface, at the left end of the bottleneck, or at all. They become the table
    packets.
    """
    snaplen: Annotated[Annotated[int, Field(ge=1, le=65535)] | Literal["headers", "full"], Either("integer")] = (
        "headers"
    )
    """How much of each packet a capture keeps: headers, full, or a number of bytes. headers is 122 bytes on
    point-to-point links, 184 bytes with 802.11, and whole frames with 802.15.4.
    """
    ascii: bool = False
    """ns-3's ascii trace of every point-to-point interface. It becomes the tables events and nodes."""
    anim: bool = False
    """An animation of the network for NetAnim, anim.xml. It needs `keep_raw`."""
    text: bool = False
    """The traces and the queue also as text, in addition to the binary columns. It needs `keep_raw`."""


class Ns3Fields(Fields):
    """An ns-3 that is not in the Python environment."""

    prefix: Annotated[str, form("folder")] | None = None
    """Where ns-3 is installed: the folder with include/ and lib/ or lib64/. An absolute path, or relative to ~ or to
    the sweep file.
    """
    source: Annotated[str, form("folder-or-file")] | None = None
    """The source of ns-3 instead: the folder of ns-3 or of ns-allinone, or a tarball. It is built once for this
    machine.
    """
    commit: Annotated[str, StringConstraints(min_length=1)] | None = None
    """The commit of the source, which then is a git repository: a hash, a tag or a branch. The repository's own files
    stay as they are.
    """
    build: Literal["fast", "plain"] = "fast"
    """How the source is built: fast, or plain, which takes less time to build and simulates more slowly."""
    march: Annotated[str, form("processor")] = "native"
    """The processor that the source is built for, as in GCC's `-march`: native for this machine, or a name such as
    x86-64-v3 for a cluster with several kinds.
    """


Ns3Version: TypeAlias = Annotated[
    str | float | dict[str, Any],
    Field(description="A version that is installed, such as 3.44; a folder; or prefix or source, as for one ns-3."),
    OneOfTypes(),
]
"""One of several versions of ns-3."""


class SweepFields(Fields):
    """The keys of the core."""

    sweep: Annotated[str, Keyword("pattern", "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$(?!\\n)")]
    """The sweep's name: up to 80 letters, digits, `.`, `_` or `-`, a letter or digit first. Its folder and its report
    have the same name.
    """
    scenario: Later
    """The topology: one of tcpsweep's, or the path of a network preset of your own, such as ./my-net.yaml."""
    network: Later = None
    """The links, flows and traffic of a custom topology, or the differences from a network preset (docs/network.md)."""
    title: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    """The report's title. Default: the sweep's name."""
    grid: Later = None
    """Axes whose values are combined in every way. One block of axes, or a list of blocks."""
    zip: Later = None
    """Axes of equal length that move together, crossed with every grid block. An axis next to `variant` with one value
    for each variant is a setting of the variant. One block, or a list of blocks.
    """
    exclude: Later = None
    """Leaves out simulations that meet a condition. One condition, or a list."""
    only: Later = None
    """Keeps only simulations that meet one of these conditions. One condition, or a list."""
    fixed: Later = None
    """Parameters with one value for the whole sweep, instead of their defaults."""
    attributes: Later = None
    """ns-3 attributes by their full name, such as ns3::TcpSocket::InitialCwnd. A list of values makes an axis."""
    baseline: Annotated[str, form("variant")] | None = None
    """The variant that all others are compared with; not a mix. Default: the first variant of the sweep that is not a
    mix.
    """
    names: (
        Annotated[dict[str, Annotated[str, StringConstraints(min_length=1, max_length=40)]], Field(min_length=1)] | None
    ) = None
    """Names of variants for print, in figures, the report and LaTeX, such as {TcpMine: Mine}. Default: the field's
    names, such as CUBIC for TcpCubic. Data files keep the sweep file's names.
    """
    reference_link: Annotated[str, form("reference-link")] | None = None
    """The link for the numbers of the whole network, such as utilisation: the name of a link, with ` back` for the
    direction from its second node, or auto. auto is a link that all flows share, else one that limits most of them.
    Default: auto.
    """
    smallest_effect: Later = "2%"
    """The smallest effect of interest (equivalence margin), as a share of the reference's mean. Or one for each metric,
    a share, a value, or the larger of both, as in {all: 2%, queueing_delay_mean_s: 1ms, congestion_loss: [10%, 0.001]}.
    `all` does not change metrics with a value of their own (docs/reference-metrics.md).
    """
    pages: bool | None = None
    """Whether each simulation gets a page with its traces over time. Default: up to 1,000 simulations."""
    figures: Annotated[list[FigureFields], Field(min_length=1)] | None = None
    """Figures in addition to the report's own: traces over time (`show`) or means of a metric (`metric`)."""
    tables: Annotated[list[TableFields], Field(min_length=1)] | None = None
    """Tables of means in addition to the report's own, as CSV and LaTeX."""
    repetitions: Annotated[int, Field(ge=1, le=100000)] = 10
    """The number of simulations of each combination, with run numbers from 1."""
    runs: Annotated[list[Annotated[int, Field(ge=0, le=4294967295)]], Field(min_length=1), UNIQUE] | None = None
    """ns-3's run numbers of each combination, from 0 to 4294967295, instead of `repetitions`."""
    seed: Annotated[int, Field(ge=1, le=4294967295)] = 1
    """ns-3's RngSeed."""
    ns3: Annotated[Ns3Fields | Annotated[list[Ns3Version], Field(min_length=2)], OneOfTypes()] = Ns3Fields()
    """The ns-3 of the sweep, if it is not the one in the Python environment. Its code is compiled and run. A list of
    several runs the sweep in each, and shows which conclusions change.
    """
    capture: CaptureFields = CaptureFields()
    """The recorded traces, and the files kept in addition to the Parquet."""
