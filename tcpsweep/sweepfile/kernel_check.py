# SPDX-License-Identifier: MIT
"""Whether this machine's kernel can be the TCP of the combinations that ask for it, in real time."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.linux import kernel
from tcpsweep.linux.kernel import Kernel
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.sweepfile import schema, sections
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import kernel_names, quantities, spelling
from tcpsweep.words.mixes import Mix

# Packets that one simulator takes per second in real time with lags that results bear, where a processor's core is its
# own: docs/linux.md. Each counts on each link that it crosses, and an ACK as a packet.
MOST_PACKETS = 40_000
_HEADERS = 54  # of TCP with timestamps, IP and PPP, in bytes
_LEAST_SEGMENT = 88 - 12  # TCP_MIN_MSS of include/net/tcp.h, without timestamps


def kernel_name(variant: str) -> str | None:
    """What Linux calls a variant; None if it has none that ns-3's is."""
    if kernel_names.is_kernels(variant):
        return variant.removeprefix(kernel_names.PREFIX)
    found: str | None = schema.raw()["$defs"]["kernel_variants"].get(variant)
    return found


def of_sweep(sweep: Sweep) -> Kernel | None:
    """The kernel that a sweep's combinations have; None if all have ns-3's TCP."""
    rows = [row for row in sweep.combinations if kernel.is_asked_for(row)]
    named = {kernel_name(variant) for row in rows for variant in Mix.of(str(row["variant"])).variants}
    return kernel.find(name for name in named if name) if rows else None


def problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """Why combinations of a sweep cannot have the TCP that they ask for, each reason once."""
    linux = of_sweep(sweep)
    found: dict[tuple[Any, ...], Problem] = {}
    for row in sweep.combinations:
        for problem in _of_row(data, row, linux):
            found.setdefault((problem.path, problem.message), problem)
        if linux and linux.hindrance and found:
            break
    return list(found.values())


def _of_row(data: dict[str, Any], row: Settings, linux: Kernel | None) -> Iterator[Problem]:
    variants = Mix.of(str(row["variant"])).variants
    if not linux or not kernel.is_asked_for(row):
        for variant in filter(kernel_names.is_kernels, variants):
            message = f"{variant} is Linux' own: it takes `stack: linux`, in a scenario that has it"
            yield Problem(_place(data, variant), message)
        return
    if linux.hindrance:
        message = f"this machine gives no hosts with its kernel's TCP: {linux.hindrance}; see docs/linux.md"
        yield Problem(sections.place(data, "stack"), message)
        return
    for variant in variants:
        name = kernel_name(variant)
        if name is None:
            known = list(schema.raw()["$defs"]["kernel_variants"])
            near = spelling.nearest(variant, known)
            message = f"Linux has no {variant}{near}; it has {', '.join(known)}, or any of its own as linux:NAME"
            yield Problem(_place(data, variant), message)
        elif name not in linux.controls:
            message = (
                f"this kernel, {linux.release}, has no congestion control {name!r}; it has "
                f"{', '.join(linux.controls)}; `modprobe tcp_{name}`, as root, loads it where the system has it"
            )
            yield Problem(_place(data, variant), message)
    if row["segment_size"] < _LEAST_SEGMENT:
        message = f"Linux sends no segments below {_LEAST_SEGMENT} B; got {row['segment_size']}"
        yield Problem(sections.place(data, "segment_size"), message)
    yield from _too_fast(data, row)


def _too_fast(data: dict[str, Any], row: Settings) -> Iterator[Problem]:
    rate_bps = quantities.si(row["bandwidth"], "rate")
    packet_bits = 8 * (row["segment_size"] + _HEADERS)
    each = 1.5 * schema.links(data["scenario"])  # an ACK for every other packet
    if rate_bps / packet_bits * each > MOST_PACKETS:
        most = MOST_PACKETS / each * packet_bits
        message = (
            f"{row['bandwidth']} with segments of {row['segment_size']} B is too fast for real time; "
            f"at most {quantities.text(float(f'{most / 1e6:.2g}'))}Mbps would do"
        )
        yield Problem(sections.place(data, "bandwidth"), message)


def _place(data: dict[str, Any], variant: str) -> Any:
    """Where a file names a variant."""
    for path, name, value in sections.values(data):
        if name == "variant" and isinstance(value, str) and variant in Mix.of(value).turns:
            return path
    return sections.place(data, "variant", "stack")
