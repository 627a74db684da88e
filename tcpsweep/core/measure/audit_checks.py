# SPDX-License-Identifier: MIT
"""The checks of an audit, described for people; nothing that computes needs this.

All checks cover the whole simulation.

- If something was not recorded on request, its checks have no row. If it was requested and is missing, the check fails
  and has no numbers.
- Checks of a link's direction from right to left begin with `reverse_`. With several links, checks of a link end with
  ` of ` and its name.
- It is unknown which ACKs crossed a link before, and which of several equal paths ACKs take. It is also unknown when
  packets leave a link that other traffic shares and that has no queue of its own. Checks that need these facts are
  missing or wide.
"""

CHECKS = {
    "asked_arguments": "Arguments in the simulator's record that the plan of the cell also has; all of the plan's",
    "asked_traces": "Traces and queues in the record that the sweep requested; all requested ones",
    "asked_flows": "Flows in the tables; the requested ones",
    "rows": "Rows of all traces; the number of rows that the simulator counted",
    "time_steps_back": "Times that are earlier than the one before, in any flow's trace or any queue; 0",
    "sink_bytes": "Last value of the trace received_bytes; the sink's count, plus bytes after a gap, which the "
    "application cannot read",
    "arrived_bytes": "Payload of the link's flows that arrived in a tenth of the simulation, where it is closest to "
    "its limit; at most the payload that the link carried in this tenth and in the longest one-way delay before",
    "ip_bytes": "Last value of the trace ip_received_bytes; FlowMonitor's rxBytes. In a mesh, which may deliver a "
    "packet twice, up to twice as much",
    "ip_packets": "Rows of the trace owd_s; FlowMonitor's rxPackets. In a mesh, up to twice as many",
    "ip_sent_bytes": "Last value of the trace ip_sent_bytes; FlowMonitor's txBytes",
    "ip_sent_packets": "Last value of the trace sent_packets; FlowMonitor's txPackets",
    "owd_sum_s": "Sum of the trace owd_s; FlowMonitor's delaySum, which has six digits",
    "owd_above_floor_s": "Minimum of one-way delay − propagation − transmission on the links of the path; 0 or more",
    "jain": "Jain's index of the forward sinks' counts; from 1/n to 1",
    "delivered_packets": "FlowMonitor's rxPackets; packets that the path's last link carried − lost − still on it at "
    "the end, by departure times. With wireless hosts, at most these",
    "delivered_bytes": "FlowMonitor's rxBytes; the same in IP bytes",
    "sent_packets": "Transmissions in the queue's trace; the link's own count",
    "sent_bytes": "Their bytes on the wire; the link's own count",
    "drop_packets": "Drops in the queue's trace; the link's own count",
    "mark_packets": "Marks in the queue's trace; the link's own count",
    "loss_packets": "Losses in the queue's trace; the link's own count",
    "losses_of_sent": "Losses at the time of an arrival of their flow; all losses",
    "waiting_bytes": "IP bytes from hosts or the link before − carried − dropped; at least the queued bytes. At most "
    "also all bytes that may be on the links before, but without an upper bound if those links may lose packets. If it "
    "is unknown which ACKs came, only data count, and the lower bound is 0",
    "reached_packets": "The flow's packets from the link before; at least those carried or dropped. At most also the "
    "queued ones, and those that came after the last event",
    "carried_bytes": "Bytes carried; at most the integral of the rate, one packet, and what fits into a nanosecond for "
    "each packet, because ns-3 truncates transmission times to nanoseconds",
    "busiest_second_bytes": "Bytes carried in the second that comes closest to its limit; at most the integral of the "
    "rate over this second, one packet, and the same allowance for truncation",
    "queueing_delay_s": "Longest queueing delay; from 0 to (buffer + device queue + one packet) / rate, if the queue "
    "disc is first in, first out",
    "captured_packets": "Data packets in the capture at the link's left end; transmissions in the queue's trace",
    "captured_bytes": "Their bytes on the wire; the same in the queue's trace",
    "captured_sent_bytes": "IP bytes of data captured at the sender; FlowMonitor's txBytes − bytes in its device",
    "captured_received_packets": "Data packets captured at the receiver; FlowMonitor's rxPackets",
    "captured_received_bytes": "Their IP bytes; FlowMonitor's rxBytes",
    "captured_sink_bytes": "Payload captured at the receiver, in sequence, each byte once; the sink's count, "
    "of QUIC plus headers",
}
"""Each check: the value that is computed, and after the semicolon the values that it may have."""
