# SPDX-License-Identifier: MIT
"""The table of packets from ns-3's files, wired and wireless: equal to tshark's fields in each row."""

from collections import Counter

import pytest

from tests.support import packet_files as files
from tests.support import tshark

pytestmark = [pytest.mark.long, pytest.mark.native, pytest.mark.tshark]


def compared(name, folder):
    """Compare all captures of a network with tshark; returns counts of rows by content and of other frames."""
    seen, others = Counter(), set()
    for path in sorted(files.network(name, folder / name).glob("*.pcap")):
        rows, summary = tshark.compare(path)
        assert len(rows) > 100
        others |= set(summary.others)
        sent = set()
        for row in rows:
            key = (row["source"], row["source_port"], row["seq"])
            seen["again"] += bool(row["payload_bytes"]) and row["seq"] is not None and key in sent
            sent.add(key)
            seen["sack"] += row["sack_left"] is not None
            seen["ce"] += row["ecn"] == 3
            seen["ect"] += row["ecn"] is not None and row["ecn"] > 0
            seen["retries"] += row["retry"] is True
            seen["udp"] += row["protocol"] == 17
            seen["without ports"] += row["source_port"] is None
    return seen, others


@pytest.mark.parametrize("name", files.NETWORKS)
def test_the_table_of_a_wired_network_is_tsharks_row_by_row(tmp_path, name):
    seen, others = compared(name, tmp_path)
    assert seen["again"] and seen["without ports"]
    assert bool(seen["sack"]) == (name != "cut")
    assert bool(seen["ce"]) == name.endswith("-ecn")
    assert bool(others) == (not name.startswith("ipv6"))


# What is no packet and is counted by its name.
OTHERS = {
    "wifi": {"802.11 acknowledgment", "ARP"},
    "wifi-radiotap": {"802.11 beacon", "802.11 association request", "802.11 association response"},
    "wifi-ampdu": {"802.11 block acknowledgment", "802.11 action"},
    "lrwpan-iphc": {"802.15.4 acknowledgment", "6LoWPAN fragment behind the first"},
    "lrwpan-mesh": {"6LoWPAN fragment behind the first"},
}


@pytest.mark.parametrize("name", files.RADIO_NETWORKS)
def test_the_table_of_a_radio_network_is_tsharks_row_by_row(tmp_path, name):
    seen, others = compared(name, tmp_path)
    assert bool(seen["retries"]) == name.startswith("wifi")
    assert seen["without ports"]
    # With IPHC, ns-3 does not move the ECN bits to where RFC 6282 has them.
    assert bool(seen["ect"]) == (name == "lrwpan-hc1")
    # With HC1, ns-3 aligns a next header that is not compressed, RFC 4944 does not: neither finds UDP in fragments.
    assert bool(seen["udp"]) == ("hc1" not in name)
    assert OTHERS.get(name, set()) <= others
