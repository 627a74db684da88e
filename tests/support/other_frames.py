# SPDX-License-Identifier: MIT
"""Frames with headers as in other people's captures, from `frames.txt`."""

import struct
from pathlib import Path

from tests.support import packet_files as files
from tests.support.packet_files import SEGMENT

V6 = files.ipv6(files.tcp(b"abc"))
MAC = bytes(range(6))
PARTS = {
    "SEGMENT": SEGMENT,
    "V6": V6,
    "TCP": files.tcp(b"abc"),
    "MAC": MAC,
    "MAC_2": b"\xa4" * 6,
    "MACS": bytes(range(12)),
    "ADDRESSES": bytes(range(18)),
    "LLC": b"\xaa\xaa\x03\0\0\0",
    "LABEL": struct.pack(">I", 16 << 12 | 64),
    "LAST_LABEL": struct.pack(">I", 17 << 12 | 1 << 8 | 64),
}


def content(text, parts=PARTS):
    """The bytes that a text tells: in hexadecimal, by the names of parts, and as numbers of zeros."""
    found = b""
    for word in text.split():
        if word.endswith("x00"):
            found += bytes(int(word[:-3]))
        else:
            found += parts[word] if word in parts else bytes.fromhex(word)
    return found


def lines(name):
    """The lines of a file next to this one that are no comments."""
    text = Path(__file__).with_name(name).read_text()
    return [line for line in text.splitlines() if not line.startswith("#")]


def _sections():
    """The frames of each section, by their names."""
    found = {}
    for line in lines("frames.txt"):
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        else:
            name, text = line.split(": ", 1)
            section[name] = content(text)
    return found


SECTIONS = _sections()
ETHERNET, OTHER_ETHERNET = SECTIONS["ETHERNET"], SECTIONS["OTHER_ETHERNET"]
OTHERS = {files.ETHERNET: OTHER_ETHERNET}
WIRED = ("ETHERNET", "LOOPBACK", "OPENBSD_LOOPBACK", "RAW_IP", "RAW_IPV4", "RAW_IPV6", "COOKED", "COOKED_2")
# For each link type, the name of a frame, and the frame.
LINKS = {getattr(files, name): SECTIONS[name] for name in WIRED} | {files.WIFI: SECTIONS["MESH"]}
# And more, where tshark may differ: a link type has the length of the checksum, and the bit that says that it is there.
PLAIN = SECTIONS["PLAIN_ETHERNET"]
HEADERS = LINKS | {files.PPP: SECTIONS["PPP"], files.ETHERNET: ETHERNET | PLAIN}
HEADERS |= {files.ETHERNET | bits: PLAIN for bits in (0x50000000, 0x54000000)}
