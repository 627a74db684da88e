# SPDX-License-Identifier: MIT
"""Frames with headers as in other people's captures, packed byte by byte as in their standards."""

import struct

from tests.support import packet_files as files
from tests.support.packet_files import SEGMENT

V6 = files.ipv6(files.tcp(b"abc"))
IPV4, IPV6 = b"\x08\x00", b"\x86\xdd"
LABEL, LAST_LABEL = struct.pack(">I", 16 << 12 | 64), struct.pack(">I", 17 << 12 | 1 << 8 | 64)
SESSION = struct.pack(">BBHH", 0x11, 0, 7, 2 + len(SEGMENT))
ENDS = bytes(range(6))
ETHERNET = {
    "VLAN": files.ethernet(b"\x20\x05" + IPV4 + SEGMENT, 0x8100),
    "VLAN with IPv6": files.ethernet(b"\x20\x05" + IPV6 + V6, 0x8100),
    "VLAN with LLC": files.ethernet(b"\x20\x05" + struct.pack(">H", 8 + len(SEGMENT)) + files.llc(SEGMENT), 0x8100),
    "QinQ": files.ethernet(b"\x00\x05\x81\x00\x00\x06" + IPV4 + SEGMENT, 0x88A8),
    "old QinQ": files.ethernet(b"\x00\x05\x81\x00\x00\x06" + IPV4 + SEGMENT, 0x9100),
    "MPLS": files.ethernet(LAST_LABEL + SEGMENT, 0x8847),
    "MPLS, two labels, IPv6": files.ethernet(LABEL + LAST_LABEL + V6, 0x8847),
    "PPPoE": files.ethernet(SESSION + b"\x00\x21" + SEGMENT, 0x8864),
    "PPPoE with IPv6": files.ethernet(struct.pack(">BBHH", 0x11, 0, 7, 2 + len(V6)) + b"\x00\x57" + V6, 0x8864),
    "PPPoE in a VLAN": files.ethernet(b"\x20\x05\x88\x64" + SESSION + b"\x00\x21" + SEGMENT, 0x8100),
    "MACsec": files.ethernet(b"\x00\x00\x00\x00\x00\x09" + IPV4 + SEGMENT + bytes(16), 0x88E5),
    "MACsec with a channel": files.ethernet(
        b"\x20\x00\x00\x00\x00\x09" + bytes(8) + IPV4 + SEGMENT + bytes(16), 0x88E5
    ),
}
OTHER_ETHERNET = {
    "MPLS without IP": files.ethernet(LAST_LABEL + bytes(40), 0x8847),
    "PPP protocol 0xc021": files.ethernet(SESSION + b"\xc0\x21" + bytes(8), 0x8864),
    "MACsec, encrypted": files.ethernet(b"\x2c\x00\x00\x00\x00\x09" + bytes(60), 0x88E5),
    "ARP": files.ethernet(b"\x20\x05\x08\x06" + bytes(28), 0x8100),
}
OTHERS = {files.ETHERNET: OTHER_ETHERNET}
COOKED = struct.pack(">HHH8s", 0, 1, 6, ENDS + bytes(2))
COOKED_2 = struct.pack(">HIHBB8s", 0, 3, 1, 0, 6, ENDS + bytes(2))
# For each link type, the name of a frame, and the frame.
LINKS = {
    files.ETHERNET: ETHERNET,
    files.LOOPBACK: {
        "little": struct.pack("<I", 2) + SEGMENT,
        "big": struct.pack(">I", 2) + SEGMENT,
        "FreeBSD": struct.pack("<I", 28) + V6,
        "Darwin": struct.pack("<I", 30) + V6,
        "OpenBSD": struct.pack("<I", 24) + V6,
    },
    files.OPENBSD_LOOPBACK: {"IPv4": struct.pack(">I", 2) + SEGMENT, "IPv6": struct.pack(">I", 24) + V6},
    files.RAW_IP: {"IPv4": SEGMENT, "IPv6": V6},
    files.RAW_IPV4: {"IPv4": SEGMENT},
    files.RAW_IPV6: {"IPv6": V6},
    files.COOKED: {"IPv4": COOKED + IPV4 + SEGMENT, "VLAN": COOKED + b"\x81\x00\x20\x05" + IPV6 + V6},
    files.COOKED_2: {"IPv4": IPV4 + COOKED_2 + SEGMENT, "IPv6": IPV6 + COOKED_2 + V6},
}
# Behind the header of 802.11, QoS control with the bit of a mesh, and the mesh's header without and with addresses.
MESH_QOS = b"\x05\x01"
MESH = {
    "between stations of a mesh": files.wifi(
        b"\x00\x1f" + struct.pack("<I", 9) + files.llc(SEGMENT), control=0x0388, between=ENDS + MESH_QOS
    ),
    "of others than a mesh's stations": files.wifi(
        b"\x02\x1f" + struct.pack("<I", 9) + 2 * ENDS + files.llc(SEGMENT), control=0x0388, between=ENDS + MESH_QOS
    ),
    "to a group": files.wifi(
        b"\x01\x1f" + struct.pack("<I", 9) + ENDS + files.llc(SEGMENT), control=0x0288, between=MESH_QOS
    ),
    "of an access point with the same bit": files.wifi(files.llc(SEGMENT), control=0x0288, between=MESH_QOS),
}
