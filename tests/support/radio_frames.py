# SPDX-License-Identifier: MIT
"""Frames of 802.11 and of 802.15.4 with 6LoWPAN, packed byte by byte as their standards say."""

import struct

from tests.support import packet_files as files
from tests.support.packet_files import SEGMENT

QOS, HT_CONTROL, ADDRESS = b"\x05\x00", bytes(4), b"\xa4" * 6
BODY = files.llc(SEGMENT)
# The name of an 802.11 frame, its header's first two bytes, and its bytes after the first 24.
WIFI = {
    "to the access point": files.wifi(BODY),
    "from the access point": files.wifi(BODY, control=0x0208),
    "without one": files.wifi(BODY, control=0x0008),
    "between access points": files.wifi(BODY, control=0x0308, between=ADDRESS),
    "QoS": files.wifi(BODY, control=0x0188, between=QOS),
    "QoS between access points": files.wifi(BODY, control=0x0388, between=ADDRESS + QOS),
    "with HT control": files.wifi(BODY, control=0x8188, between=QOS + HT_CONTROL),
    "with more data": files.wifi(BODY, control=0x2208),
    "IPv6": files.wifi(files.llc(files.ipv6(files.tcp(b"abc")))),
}
OTHER_WIFI = {
    "802.11 association request": files.wifi(bytes(20), control=0x0000),
    "802.11 probe response": files.wifi(bytes(20), control=0x0050),
    "802.11 beacon": files.wifi(bytes(20), control=0x0080),
    "802.11 acknowledgment": struct.pack("<HH6s", 0x00D4, 0, ADDRESS) + bytes(4),
    "802.11 RTS": struct.pack("<HH12s", 0x00B4, 100, 2 * ADDRESS) + bytes(4),
    "802.11 CTS": struct.pack("<HH6s", 0x00C4, 50, ADDRESS) + bytes(4),
    "802.11 block acknowledgment": struct.pack("<HH12s", 0x0094, 0, 2 * ADDRESS) + bytes(16),
    "802.11 null data": files.wifi(b"", control=0x0148),
    "802.11 QoS null data": files.wifi(b"", control=0x01C8, between=QOS),
    "802.11 encrypted data": files.wifi(bytes(40), control=0x4108),
    "802.11 A-MSDU": files.wifi(bytes(14) + BODY, control=0x0188, between=b"\x80\x00"),
    "802.11 of another version": files.wifi(BODY, control=0x0109),
    "802.11 type 3 subtype 5": files.wifi(BODY, control=0x005C),
    "ARP": files.wifi(files.llc(bytes(28), 0x0806)),
    "LLC": files.wifi(b"\x42\x42\x03" + bytes(40)),
}
TCP = files.tcp(b"abc")
UDP = files.udp(b"abcde")
PREFIX = bytes.fromhex("fd00000000000001")
LOWER = bytes.fromhex("0a0b0c0d0e0f1011")
GLOBAL, OTHER_GLOBAL = PREFIX + LOWER, PREFIX + bytes(7) + b"\x22"
SHORT_1, SHORT_2 = "fe80::ff:fe00:1", "fe80::ff:fe00:2"
MESH = bytes.fromhex("b3 0005 0006")
# Of a frame from the short address 1 to 2: what it carries, and the source, the destination, the protocol, the hop
# limit, the ECN bits and the payload of the packet.
SIXLOWPAN = {
    "uncompressed": (b"\x41" + files.ipv6(TCP, ecn=3), "fd00::1", "fd00::2", 6, 64, 3, 3),
    # HC1: prefix and rest of source and destination, class and label, next header, HC2.
    "HC1, all elided": (b"\x42\xfe\x40" + TCP, SHORT_1, SHORT_2, 6, 64, 0, 3),
    "HC1, UDP": (b"\x42\xfa\x20" + UDP, SHORT_1, SHORT_2, 17, 32, 0, 5),
    "HC1, ICMPv6": (b"\x42\xfc\xff" + bytes(8), SHORT_1, SHORT_2, 58, 255, 0, 8),
    "HC1, prefixes": (b"\x42\x5e\x40" + 2 * PREFIX + TCP, "fd00::1:0:ff:fe00:1", "fd00::1:0:ff:fe00:2", 6, 64, 0, 3),
    "HC1, interfaces": (
        b"\x42\xae\x40" + LOWER + LOWER + TCP,
        "fe80::a0b:c0d:e0f:1011",
        "fe80::a0b:c0d:e0f:1011",
        *(6, 64, 0, 3),
    ),
    "HC1, nothing elided": (
        b"\x42\x06\x05" + GLOBAL + OTHER_GLOBAL + b"\x02\x00\x00\x00" + TCP,
        "fd00::1:a0b:c0d:e0f:1011",
        "fd00:0:0:1::22",
        *(6, 5, 2, 3),
    ),
    # The next header begins in the middle of a byte, after 28 bits.
    "HC1, unaligned": (b"\x42\xf0\x40\x01\x00\x00\x03\xb0", SHORT_1, SHORT_2, 59, 64, 1, 0),
    "IPHC, all elided": (b"\x7a\x33\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 0, 3),
    "IPHC, inline": (
        b"\x78\x00\x06\x09" + GLOBAL + OTHER_GLOBAL + TCP,
        "fd00::1:a0b:c0d:e0f:1011",
        "fd00:0:0:1::22",
        *(6, 9, 0, 3),
    ),
    "IPHC, 64 bits": (b"\x79\x11\x06" + LOWER + LOWER + TCP, *(2 * ("fe80::a0b:c0d:e0f:1011",)), 6, 1, 0, 3),
    "IPHC, 16 bits": (b"\x7b\x22\x06\x0a\x0b\x0c\x0d" + TCP, "fe80::ff:fe00:a0b", "fe80::ff:fe00:c0d", 6, 255, 0, 3),
    "IPHC, unspecified": (b"\x7a\x43\x06" + TCP, "::", SHORT_2, 6, 64, 0, 3),
    "IPHC, multicast, 128 bits": (
        b"\x7a\x38\x06" + b"\xff" + bytes(14) + b"\x05" + TCP,
        SHORT_1,
        "ff00::5",
        6,
        64,
        0,
        3,
    ),
    "IPHC, multicast, 48 bits": (
        b"\x7a\x39\x06\x05\x01\x02\x03\x04\x05" + TCP,
        SHORT_1,
        "ff05::1:203:405",
        6,
        64,
        0,
        3,
    ),
    "IPHC, multicast, 32 bits": (b"\x7a\x3a\x06\x05\x01\x02\x03" + TCP, SHORT_1, "ff05::1:203", 6, 64, 0, 3),
    "IPHC, multicast, 8 bits": (b"\x7a\x3b\x06\x01" + TCP, SHORT_1, "ff02::1", 6, 64, 0, 3),
    # ECN comes before DSCP, in the first byte of each form but the last.
    "IPHC, class and label": (b"\x62\x33\xc5\x00\x00\x09\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 3, 3),
    "IPHC, ECN and label": (b"\x6a\x33\x80\x00\x09\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 2, 3),
    "IPHC, class": (b"\x72\x33\x45\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 1, 3),
    "IPHC, UDP": (b"\x7e\x33\xf0" + UDP[:4] + b"\x12\x34abcde", SHORT_1, SHORT_2, 17, 64, 0, 5),
    "IPHC, UDP without checksum": (b"\x7e\x33\xf4" + UDP[:4] + b"abcde", SHORT_1, SHORT_2, 17, 64, 0, 5),
    "IPHC, hop by hop": (b"\x7e\x33\xe0\x06\x06\x01\x04" + bytes(4) + TCP, SHORT_1, SHORT_2, 6, 64, 0, 3),
    "IPHC, two headers, UDP": (
        b"\x7e\x33\xe1\x02\x01\x00\xe7\x06\x01\x04" + bytes(4) + b"\xf4" + UDP[:4] + b"abcde",
        *(SHORT_1, SHORT_2, 17, 64, 0, 5),
    ),
    "in a mesh": (MESH + b"\x7a\x33\x06" + TCP, "fe80::ff:fe00:5", "fe80::ff:fe00:6", 6, 64, 0, 3),
    "in a broadcast": (MESH + b"\x50\x07\x42\xfe\x40" + TCP, "fe80::ff:fe00:5", "fe80::ff:fe00:6", 6, 64, 0, 3),
    "in a deep mesh": (
        b"\x9f\x20" + bytes.fromhex("0a0b0c0d0e0f1011 0006") + b"\x7a\x33\x06" + TCP,
        *("fe80::80b:c0d:e0f:1011", "fe80::ff:fe00:6", 6, 64, 0, 3),
    ),
}
OTHER_LR_WPAN = {
    "802.15.4 beacon": files.lrwpan(bytes(4), control=0x8000, ends=bytes(4)),
    "802.15.4 acknowledgment": files.lrwpan(b"", control=0x0002, ends=b""),
    "802.15.4 command": files.lrwpan(b"\x04", control=0x8843),
    "802.15.4 type 5": files.lrwpan(b"", control=0x0005),
    "802.15.4 encrypted data": files.lrwpan(bytes(40), control=0x8849),
    "802.15.4 data of another version": files.lrwpan(bytes(40), control=0xA841),
    "802.15.4 data without payload": files.lrwpan(b""),
    "802.15.4 data that is no 6LoWPAN": files.lrwpan(b"\x01\x02\x03"),
    "6LoWPAN compressed by a context": files.lrwpan(b"\x7a\x77\x06" + TCP),
    "6LoWPAN of another kind": files.lrwpan(b"\x42\xfb\x00\x40" + TCP),
}
FRAMES = {
    files.WIFI: [*WIFI.values(), *OTHER_WIFI.values()],
    files.RADIOTAP: [files.radiotap(frame, tsft=True) for frame in (*WIFI.values(), *OTHER_WIFI.values())],
    files.LR_WPAN: [files.lrwpan(payload) for payload, *_ in SIXLOWPAN.values()] + list(OTHER_LR_WPAN.values()),
}
