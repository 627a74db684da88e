# SPDX-License-Identifier: MIT
"""A TCP connection captured near its sender, packed packet by packet, with known events."""

import struct

from tests.support import packet_files as files

SENDER, RECEIVER = ("10.0.0.1", 49153), ("10.0.0.2", 5001)
SEGMENT, RTT_MS = 1000, 20
SYN, ACK, FIN = 2, 16, 1
PACKETS = 40
# What happens to which of the segments, numbered from 0; all others are acknowledged one round trip after they came.
LOST_BEFORE = 10  # never seen here at first: a gap, filled after three duplicate ACKs
LOST_BEHIND = 20  # seen twice, because it was lost on the rest of the path
LATE = 30  # comes after the next one, 1 ms late
NEEDLESS = 35  # seen twice, and the receiver says that it had it
SENT_WITH_OTHERS = {*range(LOST_BEFORE + 1, LOST_BEFORE + 4), *range(LOST_BEHIND + 1, LOST_BEHIND + 4), LATE + 1}
SENT_WITH_OTHERS |= {NEEDLESS + 1}
TOLD = {
    "sent_payload_bytes": 1000 * (PACKETS + 2),
    "received_payload_bytes": 1000 * PACKETS,
    "acked_bytes": 1000 * PACKETS,
    "unseen_bytes": 0,
    "retransmitted_bytes": 3000,
    "retransmitted_packets": 3,
    "retransmitted_share": 3 / (PACKETS + 2),
    "lost_before_packets": 1,
    "lost_at_most_packets": 2,
    "needless_packets": 1,
    "reordered_packets": 1,
    "duplicate_acks": 3 + 3 + 1,
    "handshake_s": 0.020,
    "rtt_min_s": 0.020,
    "rtt_mean_s": 0.020,
}


def connection(isn=1000, source=SENDER, begin_ms=0, times=1):
    """The packets of the connection: when each was captured in µs, and its IP packet.

    ``isn`` is the sender's first sequence number, ``source`` its address and port, and ``times`` how often the sender
    opens it again, with other numbers.
    """
    found = []
    for number in range(times):
        found += _once((isn + number * 77_777_777) % 2**32, source, begin_ms + number * 2000)
    return found


def _once(isn, source, begin_ms):
    found = []

    def add(ms, way, seq, ack, payload=0, flags=ACK, options=b""):
        here, there = (source, RECEIVER) if way == "data" else (RECEIVER, source)
        segment = files.tcp(
            b"x" * payload, options, here[1], there[1], seq=seq % 2**32, ack=ack % 2**32, flags=flags, window=500
        )
        found.append((round((begin_ms + ms) * 1000), files.ipv4(segment, files.TCP, here[0], there[0])))

    def data(ms, number):
        add(ms, "data", isn + 1 + number * SEGMENT, 501, SEGMENT)

    def acked(ms, count, *blocks):
        options = files.sack(*(tuple((isn + 1 + edge * SEGMENT) % 2**32 for edge in block) for block in blocks))
        add(ms, "ack", 501, isn + 1 + count * SEGMENT, options=options if blocks else b"")

    add(0, "data", isn, 0, flags=SYN)
    add(RTT_MS, "ack", 500, isn + 1, flags=SYN | ACK)
    add(RTT_MS, "data", isn + 1, 501)
    ms = RTT_MS
    for number in range(PACKETS):
        ms += 30
        if number in (LOST_BEFORE, LOST_BEHIND):
            if number == LOST_BEHIND:
                data(ms, number)
            for later in (1, 2, 3):
                data(ms + later, number + later)
                acked(ms + later + RTT_MS, number, (number + 1, number + 1 + later))
            ms += RTT_MS + 10
            data(ms, number)
            acked(ms + RTT_MS, number + 4)
        elif number == LATE:
            data(ms, number + 1)
            data(ms + 1, number)
            acked(ms + 1 + RTT_MS, number + 2)
        elif number not in SENT_WITH_OTHERS:
            data(ms, number)
            acked(ms + RTT_MS, number + 1)
            if number == NEEDLESS:
                ms += 30
                # The receiver got it, and something outstanding makes the duplicate ACK one.
                data(ms, number)
                data(ms + 1, number + 1)
                acked(ms + RTT_MS, number + 1, (number, number + 1))
                acked(ms + 1 + RTT_MS, number + 2)
    add(ms + 60, "data", isn + 1 + PACKETS * SEGMENT, 501, flags=FIN | ACK)
    add(ms + 80, "ack", 501, isn + 2 + PACKETS * SEGMENT)
    return sorted(found, key=lambda each: each[0])


def pcap(*connections, begin_s=0, link=files.RAW_IP):
    """A capture of connections' packets, in order of time; ``begin_s`` is since the epoch."""
    data = files.pcap([], link)
    for time_us, packet in sorted((each for some in connections for each in some), key=lambda each: each[0]):
        seconds, rest = divmod(time_us + begin_s * 10**6, 10**6)
        data += struct.pack("<IIII", seconds, rest, len(packet), len(packet)) + packet
    return data
