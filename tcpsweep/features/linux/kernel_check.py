# SPDX-License-Identifier: MIT
"""Whether a kernel can provide the TCP of the combinations that request it."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.core.sweep import assignment, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import dotted_names, field_names, spelling
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.linux import kernel, programs_check, sysctls_check
from tcpsweep.features.linux.kernel import Kernel

_LEAST_SEGMENT = 88 - 12  # TCP_MIN_MSS of include/net/tcp.h, without timestamps
_IP = 4


def kernel_name(variant: str) -> str | None:
    """Linux' name of a variant; None if it has no counterpart of ns-3's."""
    if field_names.implementation(variant):
        return field_names.stack_and_control(variant)[1]
    name: str | None = schema.raw()["kernel_variants"].get(variant)
    return name


def problems(file: SweepFile, sweep: Sweep) -> list[Problem]:
    """Why combinations of a sweep cannot have the TCP that they request, each reason once."""
    problem_by_reason: dict[tuple[Any, ...], Problem] = {}
    is_kernel_asked = any(map(assignment.is_kernel_asked, sweep.combinations))
    rows = set(sweep.combinations) if is_kernel_asked else set()
    for row in sweep.combinations:
        linux = kernel.used(row)
        for problem in [*_combination_problems(file, row, sweep, linux), *_double_stack_problems(file, row, rows)]:
            problem_by_reason.setdefault((problem.path, problem.message), problem)
        if linux and linux.hindrance and problem_by_reason:
            break
    return list(problem_by_reason.values())


def _combination_problems(file: SweepFile, row: Combination, sweep: Sweep, linux: Kernel | None) -> Iterator[Problem]:
    scenario = sweep.scenario
    for prefix, field, message in _traffic_problems(row):
        yield Problem(sections.place(file.data, prefix + field, "stack", prefix + "kind"), message)
    if program_problems := list(programs_check.problems(row, sweep.inputs)):
        yield from (Problem(sections.place(file.data, name), message) for name, message in program_problems)
        return
    if not linux:
        return
    variants = assignment.kernel_variants(row)
    if "stack" in schema.constants(scenario):
        fitting = ", ".join(name for name in schema.scenarios() if "stack" not in schema.constants(name))
        message = (
            f"{variants[0]} is Linux' own, but the scenario {scenario} has no hosts with Linux' TCP; write {fitting}"
        )
        yield Problem(_path_of_variant(file, variants[0]), message)
        return
    if linux.hindrance:
        is_named = row.get("kernel", kernel.NEWEST) != kernel.NEWEST
        key_path = sections.place(file.data, "kernel" if is_named else "stack") or _path_of_variant(file, variants[0])
        yield Problem(key_path, linux.hindrance)
        return
    for variant in variants:
        name = kernel_name(variant)
        if name is None:
            names = list(schema.raw()["kernel_variants"])
            near = spelling.did_you_mean(variant, names)
            message = f"Linux has no {variant}{near}; it has {', '.join(names)}, or others as linux:NAME"
            yield Problem(_path_of_variant(file, variant), message)
        elif name not in linux.controls:
            message = (
                f"this kernel, {linux.release}, has no congestion control {name!r}; it has {', '.join(linux.controls)}"
            )
            yield Problem(_path_of_variant(file, variant), message)
    for message in sysctls_check.problems(str(row["sysctls"]), linux):
        yield Problem(sections.place(file.data, "sysctls"), message)
    if row["ip"] != _IP:
        message = f"Linux' hosts have IPv{_IP} only; got {row['ip']}: remove `ip`, or use ns-3's TCP"
        yield Problem(sections.place(file.data, "ip"), message)
    if row["segment_size"] < _LEAST_SEGMENT:
        message = f"Linux sends no segments below {_LEAST_SEGMENT} B; got {row['segment_size']}"
        yield Problem(sections.place(file.data, "segment_size"), message)
    for dotted, message in _flow_problems(row):
        yield Problem(sections.place(file.data, dotted), message)


def _double_stack_problems(file: SweepFile, row: Combination, rows: set[Combination]) -> Iterator[Problem]:
    """A problem if a combination of Linux' own variants, or of QUIC's, occurs with both stacks, which are the same.

    ``rows`` are the sweep's; without combinations that use a kernel, there are none.
    """
    variants = row.mix.variants
    is_same_with_both = all(map(field_names.implementation, variants))
    if not rows or row.get("stack") == assignment.OF_KERNEL or not is_same_with_both:
        return
    if row.with_values({"stack": assignment.OF_KERNEL}) in rows:
        message = (
            f"{row['variant']} is the same with either `stack`; exclude one: "
            f"`exclude: {{variant: {row['variant']}, stack: ns-3}}`"
        )
        yield Problem(_path_of_variant(file, variants[0]), message)


def _path_of_variant(file: SweepFile, variant: str) -> Any:
    """The path at which a file names a variant."""
    for path, name, value in sections.values(file.data):
        is_variant = name == "variant" or name.endswith(".variant")
        if is_variant and isinstance(value, str) and variant in Mix.parse(value).turns:
            return path
    return sections.place(file.data, "variant", "stack")


_FIELDS_OF_NS3 = ("delayed_acks", "delayed_ack_timeout")
_KIND_WITHOUT_TCP = "realtime"


def _traffic_problems(row: Combination) -> Iterator[tuple[str, str, str]]:
    """Traffic with Linux' TCP: the beginning of its dotted names, the field at fault, and the message."""
    for group in network_graph.things(row, "traffic"):
        kind = network_graph.value(row, "traffic", group, "kind")
        variant = str(network_graph.value(row, "traffic", group, "variant", ""))
        is_of_linux = field_names.implementation(variant) == assignment.OF_KERNEL
        if kind != _KIND_WITHOUT_TCP and (is_of_linux or row.get("stack") == assignment.OF_KERNEL):
            message = (
                f"{group} can only use ns-3's TCP: choose a variant of ns-3, and keep `stack: ns-3`; "
                "flows next to it may use Linux', as in `variant: linux:cubic`"
            )
            yield dotted_names.dotted_name("traffic", group, ""), "variant" if is_of_linux else "kind", message


def _flow_problems(row: Combination) -> Iterator[tuple[str, str]]:
    """Settings that flows with Linux' TCP cannot have: the parameter, and the message."""
    flows = iter(network_views.network_of(row).flows)
    buffer_by_host: dict[str, str] = {}  # by host: its flows' buffers
    for group in network_graph.groups(row):
        kernel_variants = [
            turn for turn in group.turns if assignment.kernel_variants({"stack": row["stack"], "variant": turn})
        ]
        for number in group.members:
            flow = next(flows)
            if not kernel_variants:
                continue
            for field in _FIELDS_OF_NS3:
                if group.prefix + field in row:
                    yield group.prefix + field, "Linux chooses when to acknowledge; remove this"
            buffers = network_graph.flow_value(row, group, "socket_buffer", row["socket_buffer"])
            buffer = str(network_graph.of_member(buffers, number))
            if any(buffer_by_host.setdefault(host, buffer) != buffer for host in (flow.source, flow.target)):
                message = "all flows of a Linux host need the same buffers"
                yield f"{group.prefix}socket_buffer", message
