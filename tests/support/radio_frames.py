# SPDX-License-Identifier: MIT
"""Frames of 802.11 and of 802.15.4 with 6LoWPAN, from `frames.txt` and `sixlowpan.txt`."""

from tests.support import packet_files as files
from tests.support.other_frames import SECTIONS, content, lines
from tests.support.packet_files import SEGMENT

QOS, BODY = b"\x05\x00", files.llc(SEGMENT)
WIFI, OTHER_WIFI, OTHER_LR_WPAN = (SECTIONS[name] for name in ("WIFI", "OTHER_WIFI", "OTHER_LR_WPAN"))
TCP, UDP = files.tcp(b"abc"), files.udp(b"abcde")
SHORT_1, SHORT_2 = "fe80::ff:fe00:1", "fe80::ff:fe00:2"
SHORTS = {"SHORT_1": SHORT_1, "SHORT_2": SHORT_2}
PARTS = {
    "TCP": TCP,
    "UDP": UDP,
    "PORTS": UDP[:4],
    "IPV6": files.ipv6(TCP, ecn=3)[:40],
    "PREFIX": bytes.fromhex("fd00000000000001"),
    "LOWER": bytes.fromhex("0a0b0c0d0e0f1011"),
}


def _sixlowpan():
    """From the name of what a frame carries to that, and to the packet's ends, protocol, hop limit, ECN and payload."""
    found = {}
    for line in lines("sixlowpan.txt"):
        name, rest = line.split(": ", 1)
        payload, told = rest.split(" | ")
        source, destination, *numbers = told.split()
        ends = (SHORTS.get(end, end) for end in (source, destination))
        found[name] = (content(payload, PARTS), *ends, *map(int, numbers))
    return found


SIXLOWPAN = _sixlowpan()
FRAMES = {
    files.WIFI: [*WIFI.values(), *OTHER_WIFI.values()],
    files.RADIOTAP: [files.radiotap(frame, tsft=True) for frame in (*WIFI.values(), *OTHER_WIFI.values())],
    files.LR_WPAN: [files.lrwpan(payload) for payload, *_ in SIXLOWPAN.values()] + list(OTHER_LR_WPAN.values()),
}
