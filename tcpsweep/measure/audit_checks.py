# SPDX-License-Identifier: MIT
"""The checks of an audit, described for people; nothing that computes needs this.

All checks cover the whole simulation.

- If something was not recorded on request, its checks have no row. If it was requested and is missing, the check fails
  and has no numbers.
- Checks of a link's direction from right to left begin with `reverse_`. With several links, checks of a link end with
  ` of ` and its name.
- Some facts cannot be known, so their checks are missing or wide: which ACKs crossed a link before, which of several
  equal paths ACKs take, and when packets leave a link without its own queue that other traffic shares.
"""

CHECKS = {
    "asked_arguments": "Arguments that the simulator's record has, of those that the cell was planned with; all",
    "asked_traces": "Traces and queues that the record has, of those that were asked for; all",
    "asked_flows": "Flows in the tables; those asked for",
    "rows": "Rows of all traces; the simulator's counts of the rows that it wrote",
    "time_steps_back": "Times that are earlier than the one before, of any flow in any trace, or of any queue; 0",
    "sink_bytes": "Last value of the trace received_bytes; what the sink counted",
    "ip_bytes": "Last value of the trace ip_received_bytes; FlowMonitor's rxBytes, or up to twice these in a mesh, "
    "which may bring a packet again",
    "ip_packets": "Rows of the trace owd_s; FlowMonitor's rxPackets, or up to twice these in a mesh",
    "ip_sent_bytes": "Last value of the trace ip_sent_bytes; FlowMonitor's txBytes",
    "ip_sent_packets": "Last value of the trace sent_packets; FlowMonitor's txPackets",
    "owd_sum_s": "Sum of the trace owd_s; FlowMonitor's delaySum, which has six digits",
    "owd_above_floor_s": "Least of one-way delay − propagation − transmission on the links of the path; from 0",
    "jain": "Jain's index of what the forward sinks counted; from 1/n to 1",
    "delivered_packets": "FlowMonitor's rxPackets; packets that the path's last link carried − lost − on the way at "
    "the end, by departure times, or up to these where hosts are wireless",
    "delivered_bytes": "FlowMonitor's rxBytes; the same in IP bytes",
    "sent_packets": "Transmissions in the queue's trace; the link's own count",
    "sent_bytes": "Their bytes on the wire; the link's own count",
    "drop_packets": "Drops in the queue's trace; the link's own count",
    "mark_packets": "Marks in the queue's trace; the link's own count",
    "loss_packets": "Losses in the queue's trace; the link's own count",
    "losses_of_sent": "Losses at the time of an arrival of their flow; all losses",
    "waiting_bytes": "IP bytes that hosts sent or that came from the link before − carried − dropped; from those "
    "queued to these and all that may be on the links before, or, where packets may be lost on these, without limit; "
    "of data alone, and from 0, where it is not known which ACKs came",
    "reached_packets": "The flow's packets that came from the link before; from those carried or dropped to these, "
    "those queued, and those that came since the last event",
    "carried_bytes": "Bytes carried; up to the integral of the rate, one packet, and what fits into a nanosecond for "
    "each, as ns-3 cuts times of transmission to whole nanoseconds",
    "busiest_second_bytes": "Bytes carried in the second that comes closest to its limit; up to the integral of the "
    "rate over it, one packet, and the same for rounding",
    "queueing_delay_s": "Longest; from 0 to (buffer + device queue + one packet) / rate, where the disc is first in, "
    "first out",
    "captured_packets": "Data packets in the capture at the link's left end; transmissions in the queue's trace",
    "captured_bytes": "Their bytes on the wire; the same in the queue's trace",
    "captured_sent_bytes": "IP bytes of data captured at the sender; FlowMonitor's txBytes, less what its device holds",
    "captured_received_packets": "Data packets captured at the receiver; FlowMonitor's rxPackets",
    "captured_received_bytes": "Their IP bytes; FlowMonitor's rxBytes",
    "captured_sink_bytes": "Payload captured at the receiver, in sequence, each byte once; what the sink counted",
}
"""Check to what is found, and behind the semicolon what it may be."""
