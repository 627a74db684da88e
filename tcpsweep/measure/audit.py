# SPDX-License-Identifier: MIT
"""A cell's audit: what its sinks, FlowMonitor, its bottleneck and its captures counted must fit each other.

All checks are over the whole simulation, and what was not traced has no row. Where there are reverse flows, the checks
of the bottleneck's other direction begin with `reverse_`.
"""

import functools
import math
from dataclasses import dataclass

import polars as pl

from tcpsweep.words import table_columns, units

CHECKS = {
    "rows": "Rows of all traces; the simulator's counts of those that it wrote",
    "time_steps_back": "Times that are less than the one before, in any trace; 0",
    "sink_bytes": "Last value of the trace received_bytes; what the sink counted",
    "ip_bytes": "Last value of the trace ip_received_bytes; FlowMonitor's rxBytes, and to twice these in a mesh, which "
    "may bring a packet again",
    "ip_packets": "Rows of the trace owd_s; FlowMonitor's rxPackets, and to twice these in a mesh",
    "ip_sent_bytes": "Last value of the trace ip_sent_bytes; FlowMonitor's txBytes",
    "ip_sent_packets": "Last value of the trace sent_packets; FlowMonitor's txPackets",
    "owd_sum_s": "Sum of the trace owd_s; FlowMonitor's delaySum, which has six digits",
    "owd_above_floor_s": "Least of one-way delay − propagation − transmission on three links; from 0",
    "jain": "Jain's index of what the forward sinks counted; from 1/n to 1",
    "delivered_packets": "FlowMonitor's rxPackets; packets carried − lost − on the way at the end, by departure times, "
    "and no more than these where hosts are wireless",
    "delivered_bytes": "FlowMonitor's rxBytes; the same in IP bytes",
    "sent_packets": "Transmissions in the queue's trace; the bottleneck's own count",
    "sent_bytes": "Their bytes on the wire; the bottleneck's own count",
    "drop_packets": "Drops in the queue's trace; the bottleneck's own count",
    "mark_packets": "Marks in the queue's trace; the bottleneck's own count",
    "loss_packets": "Losses in the queue's trace; the bottleneck's own count",
    "losses_of_sent": "Losses at the time when a packet of their flow arrives; all losses",
    "waiting_bytes": "IP bytes sent − carried − dropped; from those queued to as many more as may be on access links, "
    "or, where hosts are wireless, may be lost",
    "carried_bytes": "Bytes carried; to the integral of the rate, and one packet",
    "busiest_second_bytes": "Bytes carried in the second that is the nearest to too many; likewise",
    "queueing_delay_s": "Longest; from 0 to (buffer + device queue + one packet) / rate, where the disc is first in, "
    "first out",
    "captured_packets": "Data packets in the capture at bottleneck-left; transmissions in the queue's trace",
    "captured_bytes": "Their bytes on the wire; likewise",
    "captured_sent_bytes": "IP bytes of data captured at the sender; FlowMonitor's txBytes, less what its device holds",
    "captured_received_packets": "Data packets captured at the receiver; FlowMonitor's rxPackets",
    "captured_received_bytes": "Their IP bytes; FlowMonitor's rxBytes",
    "captured_sink_bytes": "Payload captured at the receiver, in sequence, each byte once; what the sink counted",
}
"""Check to what is found, and behind the semicolon what it may be."""
# FlowMonitor forgets a packet that it has not seen for so long (MaxPerHopDelay), and does not count its arrival.
_FORGOTTEN_S = 10
# ns-3's clock ticks in nanoseconds, and each of three links rounds.
_CLOCK_S = 1e-8
# Six significant digits: half a unit of the last.
_SIX_DIGITS = 5e-6
_PPP_BYTES = 2
_UDP_BYTES = 8
_HEADERS_BYTES = 20 + 20  # the least, of IPv4 and TCP
_LONGEST_TCP_BYTES = 60
_AUDITED = ("received_bytes", "ip_received_bytes", "owd_s", "ip_sent_bytes", "sent_packets", "in_flight_bytes")
_FIRST_IN_FIRST_OUT = ("none", "FifoQueueDisc", "RedQueueDisc", "CoDelQueueDisc", "CobaltQueueDisc", "PieQueueDisc")


@dataclass(frozen=True)
class Network:
    """What the simulator's record says of the network.

    Attributes
    ----------
    end_s : float
        When the simulation ended.
    links : list of dict
        The bottleneck, ``from_s``, ``bandwidth_bps``, ``delay_s``: one, and another where there is a step.
    jitter_s : float
        The longest that a packet leaves its sender later.
    wireless : bool
        Whether hosts are stations, between which and the bottleneck packets may be lost.
    """

    parameters: dict
    derived: dict
    end_s: float
    links: list
    jitter_s: float
    wireless: bool

    @classmethod
    def of(cls, run):
        """The network of a simulator's record."""
        parameters, derived = run["parameters"], run["derived"]
        packet_s = derived["wire_packet_bytes"] * 8 / derived["link"][0]["bandwidth_bps"]
        return cls(
            parameters,
            derived,
            float(units.si(parameters["duration"], "time")),
            derived["link"],
            float(parameters["packet_jitter"]) * packet_s,
            "nodes" in run,
        )

    @functools.cached_property
    def least_rate_bps(self):
        """The bottleneck's, before or after a step."""
        return min(link["bandwidth_bps"] for link in self.links)

    @functools.cached_property
    def largest_rate_bps(self):
        """The bottleneck's, before or after a step."""
        return max(link["bandwidth_bps"] for link in self.links)

    @functools.cached_property
    def longest_packet_bytes(self):
        """The most that a packet has on the wire: a full segment, one of CBR, or an ACK with all options."""
        cbr = (
            self.cbr_headers_bytes + int(self.parameters["cbr_packet_size"]) if int(self.parameters["cbr_flows"]) else 0
        )
        ack = self.derived["ip_header_bytes"] + _LONGEST_TCP_BYTES
        return max(self.derived["wire_packet_bytes"], cbr + _PPP_BYTES, ack + _PPP_BYTES)

    @property
    def cbr_headers_bytes(self):
        """Those of a packet of CBR, IP's and UDP's."""
        return self.derived["ip_header_bytes"] + _UDP_BYTES

    def in_force(self, name):
        """A property of the bottleneck as an expression over ``time_s``."""
        value = pl.lit(float(self.links[0][name]))
        for link in self.links[1:]:
            value = pl.when(pl.col("time_s") >= link["from_s"]).then(float(link[name])).otherwise(value)
        return value

    def capacity_bytes(self, from_s, to_s):
        """The integral of the bottleneck's rate."""
        ends = [link["from_s"] for link in self.links[1:]] + [self.end_s]
        return sum(
            max(0, min(end_s, to_s) - max(link["from_s"], from_s)) * link["bandwidth_bps"] / 8
            for link, end_s in zip(self.links, ends, strict=True)
        )


@dataclass(frozen=True)
class Cell:
    """What is audited.

    Attributes
    ----------
    run : dict
        The simulator's record.
    network : Network
    flows : DataFrame
        The table `flows`.
    queue : DataFrame
        The table `queue`.
    traces : dict
        Those of `_AUDITED` that there are, by name: the values of each flow that has any, in order of time.
    """

    run: dict
    network: Network
    flows: pl.DataFrame
    queue: pl.DataFrame
    traces: dict

    @classmethod
    def of(cls, parsed):
        """The cell as it was parsed."""
        traces = {
            trace: {flow: rows["value"] for flow, rows in _by_flow(parsed.traces[trace].select("flow", "value"))}
            for trace in _AUDITED
            if trace in parsed.traces
        }
        return cls(parsed.run, Network.of(parsed.run), parsed.flows, parsed.queue, traces)

    def values(self, trace, flow):
        """A flow's values of a trace."""
        return self.traces[trace].get(flow, pl.Series(dtype=pl.Float64))

    def last(self, trace, flow):
        """The last of a flow's values, of a trace that counts up from zero."""
        values = self.values(trace, flow)
        return values[-1] if values.len() else 0

    def followed(self, flow):
        """Whether FlowMonitor remembered all packets of a flow until they arrived."""
        if "owd_s" in self.traces:
            longest = self.values("owd_s", flow).max()
        else:
            longest = self.queue.filter(pl.col("flow") == flow)["delay_s"].max()
        return (longest or 0) < _FORGOTTEN_S - 1


def _by_flow(rows):
    """The rows of each flow that has any: pairs of its number and a frame."""
    return ((flow, own) for (flow,), own in rows.partition_by("flow", as_dict=True).items())


def of(parsed, packets=None):
    """Audit a cell.

    Parameters
    ----------
    parsed : parse.Parsed
    packets : LazyFrame, optional
        The table `packets`, where there are captures.

    Returns
    -------
    DataFrame
        The table `audit`.
    """
    cell = Cell.of(parsed)
    rows = [*_traces(parsed), *_sinks(cell), *_delay_floor(cell), *_jain(cell)]
    for direction, (file, counter, prefix) in _DIRECTIONS.items():
        if file not in cell.run["files"]:
            continue
        queue = cell.queue.filter(pl.col("direction") == direction)
        found = [
            *_counters(queue, cell.run[counter]),
            *_before_the_bottleneck(cell, queue, direction),
            *_behind_the_bottleneck(cell, queue, direction),
            *_capacity(queue, cell.network),
            *_queueing(queue, cell.network),
        ]
        rows += [(prefix + check if flow is None else check, flow, *values) for check, flow, *values in found]
    if packets is not None and _holds_headers(cell.network.parameters["snaplen"]):
        rows += [*_at_the_bottleneck(cell, packets), *_at_the_hosts(cell, packets)]
    columns = {name: kind for name, kind in table_columns.schema("audit").items() if name != "agrees"}
    agrees = pl.col("found").is_between("low", "high").fill_null(False)
    return pl.DataFrame(rows, schema=columns, orient="row").with_columns(agrees=agrees)


_DIRECTIONS = {
    "forward": ("queue.txt", "bottleneck", ""),
    "reverse": ("queue_reverse.txt", "bottleneck_reverse", "reverse_"),
}


def write(parsed, captured, out):
    """Audit a cell.

    Parameters
    ----------
    parsed : parse.Parsed
    captured : Path
        Its table of packets, where there is one.
    out : Path
        The folder that receives ``audit.parquet``.
    """
    packets = pl.scan_parquet(captured) if captured.is_file() else None
    table_columns.write(of(parsed, packets), "audit", out / "audit.parquet")


def _exact(check, flow, expected, found):
    return check, flow, float(expected), float(found), float(expected)


def _traces(parsed):
    frames = [*parsed.traces.values(), *(rows for _, rows in parsed.queue.group_by("direction", maintain_order=True))]
    yield _exact("rows", None, sum(parsed.run["files"].values()), sum(frame.height for frame in frames))
    times = [frame["time_s"] for frame in frames]
    back = sum((time_s.diff() < 0).sum() for time_s in times if not time_s.is_sorted())
    yield _exact("time_steps_back", None, 0, back)


def _sinks(cell):
    """What receivers and senders have traced against FlowMonitor and the sinks."""
    for row in cell.flows.iter_rows(named=True):
        flow = row["flow"]
        if "received_bytes" in cell.traces:
            yield _exact("sink_bytes", flow, row["received_bytes"], cell.last("received_bytes", flow))
        if "ip_sent_bytes" in cell.traces:
            yield _exact("ip_sent_bytes", flow, row["tx_bytes"], cell.last("ip_sent_bytes", flow))
        if "sent_packets" in cell.traces:
            yield _exact("ip_sent_packets", flow, row["tx_packets"], cell.last("sent_packets", flow))
        if not cell.followed(flow):
            continue
        # FlowMonitor counts a packet's first arrival, and a mesh may bring it again.
        arrivals = 2 if "mesh_radius_left" in cell.network.parameters else 1
        if "ip_received_bytes" in cell.traces:
            expected = row["rx_bytes"]
            yield "ip_bytes", flow, expected, cell.last("ip_received_bytes", flow), arrivals * expected
        if "owd_s" in cell.traces:
            delays, expected, sum_s = cell.values("owd_s", flow), row["rx_packets"], row["delay_sum_s"]
            yield "ip_packets", flow, expected, delays.len(), arrivals * expected
            slack = sum_s * _SIX_DIGITS + _CLOCK_S
            most_s = sum_s if delays.len() == expected else cell.network.end_s * delays.len()
            yield "owd_sum_s", flow, sum_s - slack, delays.sum(), most_s + slack


def _delay_floor(cell):
    """No packet is faster than its links."""
    if "owd_s" not in cell.traces:
        return
    network = cell.network
    delay_s = min(link["delay_s"] for link in network.links)
    for flow in cell.flows["flow"]:
        delays = cell.values("owd_s", flow)
        if delays.is_empty():
            continue
        access = [_access(cell.run["flows"][flow], end) for end in ("source", "destination")]
        per_bit_s = 1 / network.largest_rate_bps + sum(1 / rate_bps for rate_bps, _ in access)
        access_s = sum(access_s for _, access_s in access)
        floor_s = delay_s + access_s + (_sizes(cell, flow, delays.len()) + _PPP_BYTES) * 8 * per_bit_s
        yield "owd_above_floor_s", flow, -_CLOCK_S, (delays - floor_s).min(), network.end_s


def _access(flow, end):
    """Rate in bit/s and delay in s of the access link at an end of a flow of the record; no delay where it has none."""
    link = flow[f"{end}_access"]
    return (link["bandwidth_bps"], link["delay_s"]) if link else (math.inf, 0.0)


def _sizes(cell, flow, count):
    """The IP bytes of each packet that a flow's receiver got; the least there is where that was not traced."""
    if "ip_received_bytes" in cell.traces:
        total = cell.values("ip_received_bytes", flow)
        if total.len() == count:
            return total.diff().fill_null(total[0])
    return _HEADERS_BYTES


def _jain(cell):
    received = cell.flows.filter(pl.col("direction") == "forward")["received_bytes"].cast(pl.Float64)
    if received.sum():
        index = received.sum() ** 2 / (received.len() * (received**2).sum())
        yield "jain", None, 1 / received.len() - 1e-12, index, 1 + 1e-12


def _counters(queue, counted):
    """The queue's trace against the simulator's own counters."""
    sent = queue.filter(pl.col("event") == "transmit")
    yield _exact("sent_packets", None, counted["sent_packets"], sent.height)
    yield _exact("sent_bytes", None, counted["sent_bytes"], sent["wire_bytes"].sum())
    for check, events in (
        ("drop_packets", ("drop", "drop_after_wait")),
        ("mark_packets", ("mark",)),
        ("loss_packets", ("loss",)),
    ):
        yield _exact(check, None, counted[check], queue.filter(pl.col("event").is_in(events)).height)


def _before_the_bottleneck(cell, queue, direction):
    """Conservation of what hosts sent: carried, dropped, queued, or on an access link."""
    towards, back = (cell.flows.filter((pl.col("direction") == direction) == same) for same in (True, False))
    sent = towards["tx_bytes"].sum() + back["ack_tx_bytes"].sum()
    on_access = sum(_unacknowledged_bytes(cell, flow) for flow in cell.flows["flow"])
    for cbr in cell.run.get("cbr_flows", ()) if direction == "forward" else ():
        sent += cbr["sent_packets"] * (cbr["packet_bytes"] + cell.network.cbr_headers_bytes)
        on_access += _cbr_on_access_bytes(cbr, cell.network)
    gone = queue.filter(pl.col("event").is_in(["transmit", "drop", "drop_after_wait"]))
    gone_bytes = (gone["wire_bytes"] - _PPP_BYTES).sum()
    # Packets that entered after the last event have no row, and count as on the access link.
    queued = 0 if queue.is_empty() else queue["queued_bytes"][-1] - _PPP_BYTES * queue["queued_packets"][-1]
    # In the air any number of packets may be lost before.
    most = math.inf if cell.network.wireless else queued + on_access
    yield "waiting_bytes", None, queued, sent - gone_bytes, most


def _unacknowledged_bytes(cell, flow):
    """What of a flow may be on its access links in one direction, in IP bytes: no more than its sender has in flight.

    Its ACKs are fewer and shorter. A full packet stands for what carries no data.
    """
    derived = cell.network.derived
    full = derived["wire_packet_bytes"] - _PPP_BYTES
    in_flight = derived["socket_buffer_bytes"]
    if "in_flight_bytes" in cell.traces:
        in_flight = cell.last("in_flight_bytes", flow)
    return in_flight * full / int(cell.network.parameters["segment_size"]) + full


def _cbr_on_access_bytes(cbr, network):
    """What of a CBR flow may be on its access link: it sends at its rate, which the link may be too slow for."""
    packet_bytes = cbr["packet_bytes"] + network.cbr_headers_bytes
    rate_bps, delay_s = _access(cbr, "source")
    sends_bps = units.si(network.parameters["cbr_rate"], "rate") * packet_bytes / cbr["packet_bytes"]
    packet_s = network.derived["wire_packet_bytes"] * 8 / network.least_rate_bps
    moving = sends_bps * (delay_s + network.jitter_s + packet_s + packet_bytes * 8 / rate_bps) / 8
    takes_bps = rate_bps * packet_bytes / (packet_bytes + _PPP_BYTES)
    return moving + max(0.0, sends_bps - takes_bps) * network.end_s / 8 + 2 * packet_bytes


def _behind_the_bottleneck(cell, queue, direction):
    """Conservation per flow on the bottleneck's link and behind it, packet by packet from the times of departure."""
    network = cell.network
    carried = (
        queue.filter(pl.col("event") == "transmit")
        .select(
            "flow",
            "wire_bytes",
            reached_s=pl.col("time_s")
            + pl.col("wire_bytes") * 8 / network.in_force("bandwidth_bps")
            + network.in_force("delay_s"),
        )
        .sort("reached_s", maintain_order=True)
        .with_row_index("packet")
    )
    losses = queue.filter(pl.col("event") == "loss").select("flow", "time_s").sort("time_s")
    lost = losses.join_asof(
        carried.select("flow", "packet", "reached_s"),
        left_on="time_s",
        right_on="reached_s",
        by="flow",
        strategy="nearest",
        tolerance=_CLOCK_S,
        check_sortedness=False,
    )
    yield _exact("losses_of_sent", None, losses.height, lost["packet"].drop_nulls().n_unique())
    kept = carried.join(lost.select("packet").drop_nulls(), on="packet", how="anti", maintain_order="left")
    of_flow = dict(_by_flow(kept))
    for row in cell.flows.filter(pl.col("direction") == direction).iter_rows(named=True):
        flow = row["flow"]
        if cell.followed(flow):
            own = of_flow.get(flow, kept.clear())
            delivered = _delivered(row, own, *_access(cell.run["flows"][flow], "destination"), network.end_s)
            for check, of, low, found, high in delivered:
                yield check, of, 0 if network.wireless else low, found, high


def _delivered(row, packets, rate_bps, delay_s, end_s):
    """What of a flow's packets reaches the receiver through a first in, first out access link before the end.

    A packet is through at e_k = max(a_k, e_(k−1)) + s_k = S_k + max over j ≤ k of (a_j − S_(j−1)), with a_k when it
    arrives there, s_k how long its transmission takes, and S_k the sum of these so far.
    """
    duration_s = packets["wire_bytes"] * 8 / rate_bps
    sums_s = duration_s.cum_sum()
    arrived_s = sums_s + (packets["reached_s"] - (sums_s - duration_s)).cum_max() + delay_s
    sizes = packets["wire_bytes"] - _PPP_BYTES
    surely, perhaps = (sizes.filter(arrived_s <= end_s + clock_s) for clock_s in (-_CLOCK_S, _CLOCK_S))
    yield "delivered_packets", row["flow"], surely.len(), row["rx_packets"], perhaps.len()
    yield "delivered_bytes", row["flow"], surely.sum(), row["rx_bytes"], perhaps.sum()


def _capacity(queue, network):
    """Throughput within capacity, over all of the time and in each second."""
    sent = queue.filter(pl.col("event") == "transmit")
    if sent.is_empty():
        return
    packet = network.longest_packet_bytes
    most = network.capacity_bytes(0, network.end_s) + packet
    yield "carried_bytes", None, 0, sent["wire_bytes"].sum(), most
    seconds = sent.group_by(pl.col("time_s").floor().alias("second")).agg(pl.col("wire_bytes").sum()).iter_rows()
    found = [(carried, network.capacity_bytes(second, second + 1) + packet) for second, carried in seconds]
    carried, most = max(found, key=lambda pair: pair[0] - pair[1])
    yield "busiest_second_bytes", None, 0, carried, most


def _queueing(queue, network):
    """No packet waits longer than it takes to send all that the buffers hold, and a packet in transmission."""
    disc, waited = network.parameters["queue_disc"].removeprefix("ns3::"), queue["delay_s"]
    if disc not in _FIRST_IN_FIRST_OUT or waited.is_empty():
        return
    packet = network.longest_packet_bytes
    held = _most_bytes(network.derived["queue_packets"], network.derived["queue_bytes"], packet)
    if disc != "none":
        size = units.buffer_size(network.parameters["device_queue"])  # in p or B
        packets, size_bytes = (int(size[:-1]) if size[-1] == unit else None for unit in "pB")
        held += _most_bytes(packets, size_bytes, packet)
    yield "queueing_delay_s", None, 0, waited.max(), (held + packet) * 8 / network.least_rate_bps + _CLOCK_S


def _most_bytes(packets, size_bytes, packet):
    """What a buffer holds, on the wire; a disc counts its bytes without PPP's."""
    return packets * packet if packets else size_bytes * (1 + _PPP_BYTES / _HEADERS_BYTES)


def _holds_headers(snaplen):
    return not snaplen.isdecimal() or int(snaplen) >= _PPP_BYTES + _HEADERS_BYTES


def _at_the_bottleneck(cell, packets):
    """The capture at the bottleneck against the queue's trace."""
    if "queue.txt" not in cell.run["files"]:
        return
    captured = _captured(packets, pl.col("interface") == "bottleneck-left")
    sent = cell.queue.filter(pl.col("direction") == "forward", pl.col("event") == "transmit")
    of_flow = dict(_by_flow(sent))
    for flow in cell.flows.filter(pl.col("direction") == "forward")["flow"]:
        own, there = of_flow.get(flow, sent.clear()), captured.get(("bottleneck-left", flow), _NOTHING)
        yield _exact("captured_packets", flow, own.height, there["packets"])
        yield _exact("captured_bytes", flow, own["wire_bytes"].sum(), there["wire_bytes"])


def _at_the_hosts(cell, packets):
    """The captures at the hosts against FlowMonitor and the sinks.

    Those of wireless hosts have each repeat of a frame, and what is for others, so that their counts are no packets'.
    """
    if cell.network.wireless:
        return
    interfaces = {capture.get("interface") for capture in cell.run["captures"]}
    ends = {flow["flow"]: (flow["source_interface"], flow["destination_interface"]) for flow in cell.run["flows"]}
    hosts = sorted({interface for pair in ends.values() for interface in pair})
    captured = _captured(packets, pl.col("interface").is_in(hosts))
    for row in cell.flows.iter_rows(named=True):
        flow = row["flow"]
        sender, receiver = ends[flow]
        if not {sender, receiver} <= interfaces:
            continue
        sent, received = (captured.get((end, flow), _NOTHING) for end in (sender, receiver))
        if cell.run["flows"][flow]["source_access"]:  # at the bottleneck itself, packets wait and are dropped
            held = _held_by_device_bytes(cell, flow, sent)
            yield "captured_sent_bytes", flow, row["tx_bytes"] - held, sent["ip_bytes"], row["tx_bytes"]
        if cell.followed(flow):
            yield _exact("captured_received_packets", flow, row["rx_packets"], received["packets"])
            yield _exact("captured_received_bytes", flow, row["rx_bytes"], received["ip_bytes"])
        if row["rx_bytes"] < 2**32:  # beyond, sequence numbers begin anew
            yield _exact("captured_sink_bytes", flow, row["received_bytes"], _in_sequence(packets, receiver, flow))


_NOTHING = {"packets": 0, "wire_bytes": 0, "ip_bytes": 0, "last_s": 0}


def _held_by_device_bytes(cell, flow, sent):
    """The most that waits in a sender's device at the end: nothing once its last transmission is over."""
    rate_bps, _ = _access(cell.run["flows"][flow], "source")
    over_s = sent["last_s"] + cell.network.derived["wire_packet_bytes"] * 8 / rate_bps + _CLOCK_S
    return 0 if over_s < cell.network.end_s else _unacknowledged_bytes(cell, flow)


def _captured(packets, where):
    """What was captured of flows' data, by interface and flow: packets, bytes, and when the last was."""
    rows = (
        packets.filter(where, pl.col("direction") == "data")
        .group_by("interface", "flow")
        .agg(pl.col("wire_bytes", "ip_bytes").sum(), packets=pl.len(), last_s=pl.col("time_s").max().cast(pl.Float64))
        .collect()
    )
    return {(row["interface"], row["flow"]): row for row in rows.iter_rows(named=True)}


def _in_sequence(packets, interface, flow):
    """The payload that a receiver can read of its data packets: in sequence, each byte once."""
    data = (
        packets.filter(pl.col("interface") == interface, pl.col("flow") == flow, pl.col("direction") == "data")
        .select("seq", end=pl.col("seq") + pl.col("payload_bytes"))
        .sort("seq", "end")
        .collect()
    )
    if data.is_empty():
        return 0
    first = data["seq"][0] + 1  # behind the SYN's number
    until = data["end"].cum_max().clip(first)
    gaps = (data["seq"] > until.shift(1, fill_value=first)).arg_true()
    return (until[gaps[0] - 1] if gaps.len() else until[-1]) - first
