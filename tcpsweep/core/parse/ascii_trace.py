# SPDX-License-Identifier: MIT
"""Parse ns-3's `ascii.tr`, in blocks of lines, into a table of the events at each device."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep.core.store import table_files
from tcpsweep.core.words import table_columns

BLOCK_BYTES = 2 << 20
# An event of a device or of a node's IP, then the packet's headers as their Print methods write them: the link's
# header, IP's header, and the header after it. Numbers have no more digits than their column can store.
_EVENT = r"^(?<letter>[-+drt]) (?<time_s>[0-9][-+.0-9e]*)"
_DEVICE = r" /NodeList/(?<node>[0-9]{1,9})/DeviceList/(?<device>[0-9]{1,9})/\$[^ ]+/(?<trace>[^ /]+)"
_IP = (
    r" /NodeList/(?<ip_node>[0-9]{1,9})/\$ns3::"
    r"(?:Ipv[46]L3Protocol/(?:Tx|Rx|Drop)\((?<interface>[0-9]{1,9})\)|ArpL3Protocol/Drop)"
)
_LINK = r"(?: ns3::[A-Za-z]+ \([^)]*\)+)*?"
_IPV4 = r"4Header \([^>]*? length: (?<ipv4_bytes>[0-9]{1,5}) "
_IPV6 = r"6Header \(\([^)]* Payload Length (?<ipv6_payload>[0-9]{1,5}) [^)]*\)"
_ENDS = r"(?<source>[0-9a-f.:]{2,45}) > (?<destination>[0-9a-f.:]{2,45})\)"
_EXTENSIONS = r"(?: ns3::Ipv6Extension[A-Za-z]* \([^)]*\)+)*"
_PORTS = (
    r" ns3::(?:Tcp|Udp)Header \((?:length: [0-9]+ )?(?<source_port>[0-9]{1,5}) > (?<destination_port>[0-9]{1,5})[ )]"
)
# The application's bytes, in whole packets or in fragments: a TCP segment may have both.
_PAYLOAD = r"Payload (?:\(size=[0-9]{1,9}\)|Fragment \[[0-9]{1,9}:[0-9]{1,9}\])"
_LINE = rf"{_EVENT}(?:{_DEVICE}|{_IP})?(?:{_LINK} ns3::Ipv(?:{_IPV4}|{_IPV6}){_ENDS}(?:{_EXTENSIONS}{_PORTS})?| )"
IPV6_HEADER_BYTES = 40


@dataclass(frozen=True)
class Summary:
    """The counts of a trace's lines.

    Attributes
    ----------
    lines : int
        All complete lines.
    rows : int
        Lines with a row in the table.
    unknown : int
        Lines without a row, because they are not events of a device or of IP.
    incomplete : str or None
        If the file ends within a line, a message with the path and the line number.
    """

    path: Path
    lines: int
    rows: int
    unknown: int
    incomplete: str | None


def blocks(path: Path | str, summaries: list[Summary]) -> Iterator[pl.DataFrame]:
    """Yield a trace's table in frames, then append its summary to ``summaries``. See `write`."""
    path, count, rows = Path(path), 0, 0
    incomplete: str | None = None
    for text, is_whole in _whole_lines(path):
        if not is_whole:
            incomplete = f"{path}: line {count + 1}: the file ends within it"
            break
        lines = pl.Series("line", [text]).str.split("\n").explode()
        frame = _decoded(lines).filter(pl.col("event").is_not_null())
        count += len(lines)
        rows += frame.height
        yield frame
    yield pl.DataFrame(schema=table_columns.schema("events"))
    summaries.append(Summary(path, count, rows, count - rows, incomplete))


def _whole_lines(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the file as texts of whole lines. If it ends within a line, the last item says so.

    If a line is longer than a block, only its beginning is kept.
    """
    begun_line = b""
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            lines, line_end, rest = block.rpartition(b"\n")
            if line_end:
                yield (begun_line + lines).decode("utf-8", "replace"), True
                begun_line = rest
            elif len(begun_line) < BLOCK_BYTES:
                begun_line += block
    if begun_line:
        yield "", False


def _decoded(lines: pl.Series) -> pl.DataFrame:
    """A row for each line; the event of an unknown line is null."""
    kind_of_number = {"node": pl.Int32, "device": pl.Int32, "source_port": pl.Int32, "destination_port": pl.Int32}
    fields = lines.str.extract_groups(_LINE).struct.unnest()
    fields = fields.with_columns(node=pl.coalesce("node", "ip_node"), device=pl.coalesce("device", "interface"))
    # Lines in the file of a single interface do not name it; they are recognised by their IP header.
    is_known = pl.col("node").is_not_null() | pl.col("source").is_not_null()
    letter, trace = pl.col("letter"), pl.col("trace")
    event = (
        pl.when((letter == "d") & (trace == "PhyRxDrop"))
        .then(pl.lit("loss"))
        .otherwise(
            letter.replace_strict(
                {"+": "enqueue", "-": "dequeue", "d": "drop", "t": "transmit", "r": "receive"}, default=None
            )
        )
    )
    time_s = pl.col("time_s").cast(pl.Float64, strict=False)
    ipv6_bytes = pl.col("ipv6_payload").cast(pl.Int64) + IPV6_HEADER_BYTES
    return fields.select(
        time_s,
        pl.when(time_s.is_finite() & is_known).then(event).cast(table_columns.DEVICE_EVENT).alias("event"),
        *(pl.col(name).cast(kind) for name, kind in kind_of_number.items()),
        "source",
        "destination",
        pl.coalesce(pl.col("ipv4_bytes").cast(pl.Int64), ipv6_bytes).alias("ip_bytes"),
        _payload_bytes(lines),
    ).select(list(table_columns.COLUMNS["events"]))


def _payload_bytes(lines: pl.Series) -> pl.Series:
    """The sum of the payload bytes that each line prints."""
    part = pl.element().str.extract_groups(r"(?:size=|\[)([0-9]+)(?::([0-9]+))?")
    first, end = (part.struct.field(name).cast(pl.Int64) for name in ("1", "2"))
    part_bytes = pl.when(end.is_null()).then(first).otherwise(end - first)
    return lines.str.extract_all(_PAYLOAD).list.eval(part_bytes).list.sum().alias("payload_bytes")


def write_events(path: Path | str, out: Path) -> Summary:
    """Decode a trace into a Parquet file, with constant memory.

    It decodes lines that ns-3's helpers for devices and IP write into one stream (``EnableAscii``, ``EnableAsciiAll``,
    ``EnableAsciiIpv4``, ``EnableAsciiIpv6``). These lines begin with the event, the time and the configuration path of
    a device or of a node's IP. For IP, the interface number is used as the device. In the file of a single interface,
    lines have no path, and those with an IP packet are decoded. Other lines are only counted. After an error, ``out``
    does not exist.

    Raises `OSError`.
    """
    summaries: list[Summary] = []
    table_files.sink(blocks(path, summaries), "events", out)
    return summaries[0]
