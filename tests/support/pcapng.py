# SPDX-License-Identifier: MIT
"""Files of pcapng, packed block by block as draft-ietf-opsawg-pcapng says."""

import struct

from tests.support import packet_files as files

NAME, RESOLUTION, TIME_OFFSET = 2, 9, 14


def block(kind, body, order="<"):
    """A block: its type, its length, its body, and the length again."""
    body += bytes(-len(body) % 4)
    length = struct.pack(f"{order}I", 12 + len(body))
    return struct.pack(f"{order}I", kind) + length + body + length


def section(order="<"):
    return block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def options(found, order="<"):
    """Options by their codes, and their end."""
    data = b"".join(
        struct.pack(f"{order}HH", code, len(value)) + value + bytes(-len(value) % 4) for code, value in found.items()
    )
    return data + bytes(4) if found else b""


def interface(link=files.ETHERNET, snap=0, order="<", **told):
    """An interface's description; ``told`` are ``name``, ``resolution`` and ``offset_s``."""
    found = {}
    if "name" in told:
        found[NAME] = told["name"].encode()
    if "resolution" in told:
        found[RESOLUTION] = bytes([told["resolution"]])
    if "offset_s" in told:
        found[TIME_OFFSET] = struct.pack(f"{order}q", told["offset_s"])
    return block(1, struct.pack(f"{order}HHI", link, 0, snap) + options(found, order), order)


def packet(frame, ticks, number=0, order="<", captured=None, comment=b""):
    kept = frame[:captured]
    head = struct.pack(f"{order}IIIII", number, ticks >> 32, ticks & 0xFFFFFFFF, len(kept), len(frame))
    body = head + kept + bytes(-len(kept) % 4)
    return block(6, body + (options({1: comment}, order) if comment else b""), order)


def old_packet(frame, ticks, number=0, order="<"):
    """A packet block, which is obsolete."""
    head = struct.pack(f"{order}HHIIII", number, 0, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), len(frame))
    return block(2, head + frame, order)


def simple_packet(frame, order="<", snap=0):
    """A simple packet block, which has no time."""
    return block(3, struct.pack(f"{order}I", len(frame)) + (frame[:snap] if snap else frame), order)


def sample():
    """Two sections in different byte orders, with interfaces of different links and clocks, and all kinds of blocks."""
    ethernet, ppp = files.ethernet(files.SEGMENT), files.ppp(files.SEGMENT)
    return b"".join(
        [
            section(),
            interface(name="eth0", resolution=9),
            interface(files.PPP, name="ppp0"),
            block(5, bytes(12)),  # statistics of an interface
            packet(ethernet, 1_700_000_000_123_456_789, comment=b"the first"),
            packet(ppp, 1_700_000_000_500_000, 1),
            old_packet(ethernet, 1_700_000_001_000_000_001),
            simple_packet(ethernet),
            block(0x80000BAD, bytes(100)),  # somebody's own
            section(">"),
            interface(files.RAW_IP, order=">", resolution=0x80 | 10, offset_s=1_700_000_000),
            interface(147, order=">", name="own"),
            packet(files.SEGMENT, 5 << 9, order=">"),
            packet(b"what?", 0, 1, order=">"),
            packet(files.ipv6(files.tcp(b"x" * 100)), 3 << 10, order=">", captured=70),
        ]
    )
