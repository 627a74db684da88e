# SPDX-License-Identifier: MIT
"""The metrics of applications' traffic in real ns-3, compared with queueing theory and other counters."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml
from scipy import stats

from tcpsweep.core.parse import raw_files

SEGMENT, HEADERS = 1448, 20 + 32 + 2  # IP's, TCP's with timestamps, PPP's


PLAIN = ("--traces=none", "--queue_trace=false", "--flow_monitor=false")
TABLE = yaml.safe_load((Path(__file__).parent / "traffic.yaml").read_text())
KINDS, HOSTS = TABLE["kinds"], TABLE["links"]


def test_each_transfer_of_the_record_is_there_and_counts(described, measured, tmp_path):
    cell = described(HOSTS, {}, *PLAIN, "--variant=TcpCubic", "--duration=8s", traffic=KINDS)
    parsed, found = measured(cell, 0.0, 8.0)
    transfers = parsed.transfers
    of_record = {group["name"]: group for group in cell.record["traffic"]}
    assert transfers.height == cell.record["transfers"] > 100
    assert raw_files.read_parsed(tmp_path / "parsed").transfers.equals(transfers)
    assert {place for place, _ in found if isinstance(place, str)} == set(of_record)
    for name, group in of_record.items():
        own = transfers.filter(pl.col("traffic") == name)
        assert own["kind"].to_list() == [group["kind"]] * own.height
        assert own["transfer"].to_list() == list(range(group["begun"]))
        assert own["finish_s"].count() == group["finished"]
        assert own["bytes"].sum() == group["offered_bytes"]
        assert own["received_bytes"].sum() == group["received_bytes"]
        assert set(own["from"].drop_nulls()) <= set(group["from"])
        assert set(own["to"]) <= set(group["to"])
        if group["kind"] != "realtime":
            assert (found[name, "transfers"], found[name, "finished_transfers"]) == (group["begun"], group["finished"])
            assert found[name, "unfinished_share"] == pytest.approx(group["unfinished"] / group["begun"])
    (player,), (call,) = of_record["film"]["players"], of_record["call"]["flows"]
    assert found["film", "startup_delay_mean_s"] == player["startup_delay_s"]
    assert found["film", "mean_bitrate_bps"] == player["mean_bitrate_bps"]
    assert found["call", "late_share"] == call["late_share"]
    assert found["call", "realtime_delay_mean_s"] == pytest.approx(call["mean_delay_s"])


def test_no_flow_that_arrives_is_faster_than_alone(described, measured):
    short = {"short": KINDS["short"]}
    cell = described(HOSTS, {}, *PLAIN, "--variant=TcpCubic", "--duration=20s", traffic=short)
    parsed, _ = measured(cell, 0.0, 20.0)
    transfers = parsed.transfers
    slowdown = transfers["slowdown"].drop_nulls()
    assert len(slowdown) > 200
    assert 1 <= slowdown.min() < 1.01


def arriving(described, measured, **link):
    """The transfers that arrive at a link, and what is measured."""
    link = {"between": "a,b", "bandwidth": "10Mbps", "delay": "10ms"} | link
    short = {"kind": "arrivals", "from": "a", "to": "b", "rate": 10, "sizes": "constant:1000"}
    cell = described({"only": link}, {}, *PLAIN, "--duration=2s", traffic={"short": short})
    parsed, found = measured(cell, 0.0, 2.0)
    return parsed.transfers, found


@pytest.mark.parametrize(("link", "least_s", "rate_bps"), TABLE["alone"])
def test_no_transfer_takes_less_than_on_an_empty_network(described, measured, link, least_s, rate_bps):
    transfers, _ = arriving(described, measured, **link)
    least_s += (1000 + HEADERS) * 8 / rate_bps
    assert transfers["alone_s"].to_list() == pytest.approx([least_s] * transfers.height)
    assert 0.999 < transfers["slowdown"].min() < 1.01


def test_over_a_trace_no_time_alone_is_known(described, measured, tmp_path):
    (tmp_path / "trace").write_text("1\n2\n")  # chances to send come as they come
    transfers, found = arriving(described, measured, trace=tmp_path / "trace")
    assert transfers["alone_s"].null_count() == transfers["slowdown"].null_count() == transfers.height > 5
    assert ("short", "slowdown_mean") not in found


def test_transfers_over_an_open_connection_wait_for_no_handshake(described, measured):
    links = {"only": {"between": "a,b", "bandwidth": "100Mbps", "delay": "100ms"}}
    cell = described(links, {}, *PLAIN, "--duration=4s", traffic=TABLE["connected"])
    parsed, _ = measured(cell, 0.0, 4.0)
    transfers = parsed.transfers
    for name, (first, later) in TABLE["least_s"].items():
        own = transfers.filter(pl.col("traffic") == name).sort("transfer")
        assert own["alone_s"].to_list()[:3] == pytest.approx([first, later, later], abs=0.003)
        assert own["slowdown"].min() > 0.99


@pytest.mark.long
@pytest.mark.parametrize("load", [0.2, 0.4])
def test_at_light_load_the_mean_slowdown_is_that_of_processor_sharing(described, measured, load):
    """Flows that share a link by fair queueing, packet by packet, have a mean slowdown of 1 / (1 - load).

    Kleinrock: Time-shared Systems: A Theoretical Treatment. Journal of the ACM 14(2), 1967; it is the same for all
    sizes. The load counts headers, as the time alone does. The base round trip is far shorter than what the initial
    window takes at the link, so that slow start takes no time; CoDel is told to leave the queues alone.
    """
    segments, rate_bps, duration_s = 100, 10e6, 1000.0
    links = {"only": {"between": "a,b", "bandwidth": "10Mbps", "delay": "20us", "queue_disc": "FqCoDelQueueDisc"}}
    links["only"]["queue"] = "10000p"
    flows = {"kind": "arrivals", "from": "a", "to": "b", "load": load, "link": "only"}
    flows["sizes"] = f"constant:{segments * SEGMENT}"
    late = ("--ns3::FqCoDelQueueDisc::Target=1000s", "--ns3::FqCoDelQueueDisc::Interval=1000s")
    options = (*PLAIN, *late, "--variant=TcpNewReno", f"--duration={duration_s:g}s")
    cell = described(links, {}, *options, traffic={"short": flows})
    parsed, found = measured(cell, 100.0, duration_s)
    transfers = parsed.transfers
    busy = load * (SEGMENT + HEADERS) / SEGMENT
    alone_s = segments * (SEGMENT + HEADERS) * 8 / rate_bps + 3 * 20e-6
    assert transfers["alone_s"].to_list() == pytest.approx([alone_s] * transfers.height)
    counted = transfers.filter(pl.col("start_s") >= 100)["slowdown"].drop_nulls().to_numpy()
    assert found["short", "unfinished_share"] < 0.002
    assert found["short", "slowdown_mean"] == pytest.approx(counted.mean(), rel=1e-3)
    # Neighbours are correlated, large batches hardly: the batches' means show the error of the overall mean.
    batches = np.array([batch.mean() for batch in np.array_split(counted, 20)])
    error = batches.std(ddof=1) / np.sqrt(len(batches))
    law = 1 / (1 - busy)
    assert error < 0.02 * law
    assert found["short", "slowdown_mean"] == pytest.approx(law, abs=stats.t(len(batches) - 1).ppf(0.9995) * error)


def test_goodput_of_rounds_is_what_the_clients_link_carried(described, measured):
    links = {
        "server": {"between": "s{i},r", "count": 4, "bandwidth": "1Gbps", "delay": "20us", "queue": "none"},
        "client": {"between": "r,c", "bandwidth": "100Mbps", "delay": "20us", "queue": "1000p"},
    }
    rounds = 20
    incast = {"kind": "incast", "from": "s0,s1,s2,s3", "to": "c", "bytes": "64kB", "times": rounds}
    options = ("--traces=none", "--flow_monitor=false", "--variant=TcpCubic", "--duration=2s")
    cell = described(links, {}, *options, traffic={"answers": incast})
    parsed, found = measured(cell, 0.0, 2.0)
    transfers = parsed.transfers
    sent = cell.queue("t", link="client")
    payload = sum(row["bytes"] - HEADERS for row in sent if row["bytes"] > 100)
    assert payload == rounds * 4 * 64_000, "nothing was sent twice"
    last = max((row for row in sent if row["bytes"] > 100), key=lambda row: row["time"])
    end_s = last["time"] + last["bytes"] * 8 / 100e6 + 20e-6
    assert transfers["finish_s"].max() == pytest.approx(end_s, abs=1e-7)
    assert found["answers", "round_goodput_bps"] == pytest.approx(payload * 8 / end_s, rel=1e-6)
    assert 0.8 * 100e6 < found["answers", "round_goodput_bps"] < 100e6 * SEGMENT / (SEGMENT + HEADERS)
