# SPDX-License-Identifier: MIT
"""Flows between sockets of a kernel: their traces, their packets in the network, and their sinks."""

import struct

import pytest
from scipy import stats

from tests.support import kernel_counts
from tests.support.cell import Cell

pytestmark = pytest.mark.kernel
LOSS = 0.02
SEGMENT, PPP = 1448, 2  # a segment's payload, and PPP's bytes on the wire
BULK = ("--variant=TcpCubic+linux:reno", "--bandwidth=4Mbps", "--delay=40ms", "--queue=100p", "--duration=4s")
QUICK = ("--start_jitter=0s", "--packet_jitter=0")


@pytest.fixture
def bulk(simulated):
    """A flow of CUBIC's that does not end, and one of 200,000 bytes of Reno's."""
    options = (*QUICK, f"--loss={LOSS}", "--loss_on=data", "--bytes=0,200000", "--pcap=all")
    return Cell(simulated(*BULK, *options, common=("--stack=linux",)))


def captured(path):
    """The bytes of payload of all packets in a capture, and how many packets there are."""
    data, place, total, count = path.read_bytes(), 24, 0, 0
    while place < len(data):
        (size,) = struct.unpack_from("<I", data, place + 8)
        packet = data[place + 16 + PPP : place + 16 + size]  # after PPP's protocol
        header = 4 * (packet[0] & 15)
        total += int.from_bytes(packet[2:4]) - header - 4 * (packet[header + 12] >> 4)
        count, place = count + 1, place + 16 + size
    return total, count


def test_capture_kernel_traces_and_sinks_have_the_same_bytes_and_losses_their_share(bulk):
    record, monitored = bulk.record, bulk.flow_monitor()
    for number, flow in enumerate(record["flows"]):
        kernel = flow["kernel"]
        assert kernel["segment_bytes"] == SEGMENT
        sent = bulk.trace("sent_bytes", number)[-1][1]
        unread = kernel_counts.unread_segments(kernel, sent, is_finished=number == 1)
        again = kernel["bytes_retransmitted"] - bulk.trace("retransmitted_bytes", number)[-1][1]
        assert 0 <= again <= unread * SEGMENT
        # All that the sender's interface carries is this connection's, its acknowledgments without payload.
        payload, packets = captured(bulk.folder / f"{flow['source_interface']}.pcap")
        assert payload == sent
        assert packets == kernel["segments_sent"] - unread + kernel["segments_received"]
        assert int(monitored[number].get("txPackets")) == kernel["segments_sent"] - unread
        assert bulk.trace("acked_bytes", number)[-1][1] <= flow["received_bytes"]
        assert bulk.trace("received_bytes", number)[-1][1] == flow["received_bytes"]
    assert record["flows"][1]["received_bytes"] == 200_000
    assert record["flows"][1]["finish_s"] is not None
    assert record["virtual_time"]["refused_packets"] == 0
    way = bulk.way()
    low, high = stats.binom.interval(1 - 1e-6, way["sent_packets"], LOSS)
    assert low <= way["loss_packets"] <= high
