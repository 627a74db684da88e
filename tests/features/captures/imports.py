# SPDX-License-Identifier: MIT
"""Imports of captures that tests make, and packets for them."""

from pathlib import Path

import pytest

import tcpsweep
from tcpsweep.__main__ import run as run_command
from tests.support import packet_files as files
from tests.support.told_connection import ACK, pcap
from tests.support.tools import ROOT

MS = 1000  # in µs
FLOW_XML = ROOT / "tests" / "data" / "flowmon" / "flow.xml"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder, in which the test works, with the decoder of pcap files compiled."""
    files.library()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def imported(data, *arguments, name="capture.pcap", named=None):
    """Import a file with these bytes, and open the import."""
    Path(name).write_bytes(data)
    run_command(["import", name, *arguments])
    return tcpsweep.open_import(named or (arguments[1] if "--name" in arguments else Path(name).stem))


def page(name="capture"):
    """The page of an import."""
    return Path(f"reports/import-{name}.html").read_text()


def metrics(packets, **given):
    """The metrics of the only flow in an import."""
    (flow,) = imported(pcap(packets), **given).flows.to_dicts()
    return flow


def packet(way, seq, ack, payload=0, flags=ACK, options=b"", window=500):
    """An IP packet with a TCP segment from 10.0.0.1:40000 to 10.0.0.2:80, or back."""
    ports, ends = ((40000, 80), ("10.0.0.1", "10.0.0.2")) if way == "data" else ((80, 40000), ("10.0.0.2", "10.0.0.1"))
    segment = files.tcp(b"x" * payload, options, *ports, seq=seq, ack=ack, flags=flags, window=window)
    return files.ipv4(segment, files.TCP, *ends)
