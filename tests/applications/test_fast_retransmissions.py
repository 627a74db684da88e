# SPDX-License-Identifier: MIT
"""Fast retransmissions of ns-3's captures, at both ends of the path: as many as the sender's own repairs."""

import polars as pl
import pytest

import tcpsweep
from tcpsweep.command_line import main
from tests.support import tshark

RECOVERY = 3  # ns-3's TcpSocketState::CA_RECOVERY
LOSSY = ("--flows=1", "--loss=0.004", "--packet_jitter=0", "--duration=8s", "--pcap=all")
SHORT = ("--bandwidth=8Mbps", "--delay=5ms", "--queue=8bdp")  # a queue that multiplies the round trip
LONG = ("--bandwidth=2Mbps", "--delay=50ms", "--queue=2bdp", "--receiver_access_delay=20ms")


def counted(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    main.main(["import", str(path), "--name", path.stem])
    return int(tcpsweep.open_import(path.stem).flows["fast_retransmissions"][0])


@pytest.mark.tshark
@pytest.mark.parametrize("options", [SHORT, LONG])
def test_each_place_shows_the_senders_repairs(run, tmp_path, monkeypatch, options):
    cell = run(*LOSSY, *options)
    states = pl.Series([value for _, value in cell.rows("congestion_state")])
    repairs = int(((states == RECOVERY) & (states.shift(1) != RECOVERY)).sum())
    assert repairs >= 3
    places = ("sender0", "bottleneck-right", "receiver0")
    assert [counted(cell.folder / f"{place}.pcap", monkeypatch, tmp_path) for place in places] == [repairs] * 3
    # Losses are single, so Wireshark, which counts packets, agrees at the sender's side.
    found = tshark.analysed(cell.folder / "sender0.pcap", "tcp.dstport", ["tcp.analysis.fast_retransmission"])
    assert sum(len(fields["tcp.analysis.fast_retransmission"]) for fields in found.values()) == repairs
