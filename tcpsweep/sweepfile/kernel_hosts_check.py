# SPDX-License-Identifier: MIT
"""What a described network asks of flows and traffic that hosts with Linux' TCP do not have."""

from collections.abc import Iterator

from tcpsweep.sweep import kernel_flows, network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweepfile import network_views
from tcpsweep.words import dotted_names, kernel_names

_OF_NS3 = ("delayed_acks", "delayed_ack_timeout")
_WITHOUT_TCP = "realtime"


def of_traffic(row: Settings) -> Iterator[tuple[str, str, str]]:
    """Traffic that is to have Linux' TCP: the begin of its dotted names, the field at fault, and what is wrong."""
    for name in network_graph.things(row, "traffic"):
        kind = network_graph.value(row, "traffic", name, "kind")
        variant = str(network_graph.value(row, "traffic", name, "variant", ""))
        own = kernel_names.is_kernels(variant)
        if kind != _WITHOUT_TCP and (own or row.get("stack") == kernel_flows.OF_KERNEL):
            message = (
                f"{name} has ns-3's TCP alone: give it a variant of ns-3's, and leave `stack` at ns-3; "
                "flows beside it may be Linux', as `variant: linux:cubic`"
            )
            yield dotted_names.of("traffic", name, ""), "variant" if own else "kind", message


def of_flows(row: Settings) -> Iterator[tuple[str, str]]:
    """What flows with Linux' TCP cannot have: the dotted name, and what is wrong."""
    if not network_graph.is_described(row):
        return
    flows = iter(network_views.network_of(row).flows)
    buffers: dict[str, str] = {}  # of each host's flows
    for group, turns in network_graph.dealt(row).items():
        for number, variant in enumerate(turns):
            flow = next(flows)
            if not kernel_flows.variants_of({"stack": row["stack"], "variant": variant}):
                continue
            for field in _OF_NS3:
                if network_graph.value(row, "flows", group, field) is not None:
                    yield dotted_names.of("flows", group, field), "Linux decides by itself when it acknowledges"
            given = network_graph.value(row, "flows", group, "socket_buffer", row["socket_buffer"])
            buffer = str(network_graph.of_member(given, number))
            if any(buffers.setdefault(host, buffer) != buffer for host in (flow.source, flow.target)):
                message = "all flows of one of Linux' hosts have the same buffers"
                yield dotted_names.of("flows", group, "socket_buffer"), message
