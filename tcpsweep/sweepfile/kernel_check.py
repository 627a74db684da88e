# SPDX-License-Identifier: MIT
"""Whether this machine's kernel can be the TCP of the combinations that ask for it, in real time."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.linux import kernel
from tcpsweep.linux.kernel import Kernel
from tcpsweep.sweep import harm_combinations, kernel_flows, network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.sweepfile import kernel_hosts_check, real_time_rates, schema, sections
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import kernel_names, quantities, spelling
from tcpsweep.words.mixes import Mix

_LEAST_SEGMENT = 88 - 12  # TCP_MIN_MSS of include/net/tcp.h, without timestamps


def kernel_name(variant: str) -> str | None:
    """What Linux calls a variant; None if it has none that ns-3's is."""
    if kernel_names.is_kernels(variant):
        return variant.removeprefix(kernel_names.PREFIX)
    found: str | None = schema.raw()["$defs"]["kernel_variants"].get(variant)
    return found


def of_sweep(sweep: Sweep) -> Kernel | None:
    """The kernel that flows of a sweep's combinations have; None if all have ns-3's TCP."""
    rows = [row for row in sweep.combinations if kernel_flows.is_asked_for(row)]
    named = {kernel_name(variant) for row in rows for variant in kernel_flows.variants_of(row)}
    return kernel.find(name for name in named if name) if rows else None


def problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """Why combinations of a sweep cannot have the TCP that they ask for, each reason once."""
    linux = of_sweep(sweep)
    found: dict[tuple[Any, ...], Problem] = {}
    there = {harm_combinations.key(row) for row in sweep.combinations} if linux else set()
    for row in sweep.combinations:
        for problem in [*_of_row(data, row, sweep.scenario, linux), *_twice(data, row, there)]:
            found.setdefault((problem.path, problem.message), problem)
        if linux and linux.hindrance and found:
            break
    return list(found.values())


def _of_row(data: dict[str, Any], row: Settings, scenario: str, linux: Kernel | None) -> Iterator[Problem]:
    for prefix, field, message in kernel_hosts_check.of_traffic(row):
        yield Problem(sections.place(data, prefix + field, "stack", prefix + "kind"), message)
    if not linux or not kernel_flows.is_asked_for(row):
        return
    variants = kernel_flows.variants_of(row)
    if "stack" in schema.constants(scenario):
        takers = ", ".join(name for name in schema.scenarios() if "stack" not in schema.constants(name))
        message = f"{variants[0]} is Linux' own, and {scenario} has no hosts with its TCP; {takers} have"
        yield Problem(_place(data, variants[0]), message)
        return
    if linux.hindrance:
        message = f"this machine gives no hosts with its kernel's TCP: {linux.hindrance}; see docs/linux.md"
        yield Problem(sections.place(data, "stack") or _place(data, variants[0]), message)
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
    for dotted, message in kernel_hosts_check.of_flows(row):
        yield Problem(sections.place(data, dotted), message)
    yield from _too_fast(data, row, scenario)


def _too_fast(data: dict[str, Any], row: Settings, scenario: str) -> Iterator[Problem]:
    crossings, most = real_time_rates.crossings_per_s(row, scenario), real_time_rates.MOST_CROSSINGS
    if crossings <= most:
        return
    if network_graph.is_described(row):
        message = (
            f"its flows' packets cross {crossings:,.0f} links in a second, too fast for real time; "
            f"{float(f'{most / crossings:.2g}'):g} times the rates, {most:,} crossings, would do"
        )
        yield Problem(sections.place(data, "stack") or _place(data, kernel_flows.variants_of(row)[0]), message)
        return
    message = (
        f"{row['bandwidth']} with segments of {row['segment_size']} B is too fast for real time; "
        f"at most {quantities.text(float(f'{real_time_rates.most_bps(row, scenario) / 1e6:.2g}'))}Mbps would do"
    )
    yield Problem(sections.place(data, "bandwidth"), message)


def _twice(data: dict[str, Any], row: Settings, there: set[str]) -> Iterator[Problem]:
    """A combination of Linux' own variants that is there with both stacks, though both are Linux'."""
    variants = Mix.of(str(row["variant"])).variants
    if not there or row.get("stack") == kernel_flows.OF_KERNEL or not all(map(kernel_names.is_kernels, variants)):
        return
    if harm_combinations.key({**row, "stack": kernel_flows.OF_KERNEL}) in there:
        message = (
            f"{row['variant']} is Linux' with either `stack`; leave one out: "
            f"`exclude: {{variant: {row['variant']}, stack: ns-3}}`"
        )
        yield Problem(_place(data, variants[0]), message)


def _place(data: dict[str, Any], variant: str) -> Any:
    """Where a file names a variant."""
    for path, name, value in sections.values(data):
        is_one = name == "variant" or name.endswith(".variant")
        if is_one and isinstance(value, str) and variant in Mix.of(value).turns:
            return path
    return sections.place(data, "variant", "stack")
