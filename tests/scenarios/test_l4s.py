# SPDX-License-Identifier: MIT
"""What ns-3 has of L4S: marks of ECT(1) above a threshold, and the sender that sets it."""

import polars as pl
import pytest

from tests.support.cell import audited

LINK = ("--bandwidth=100Mbps", "--delay=5ms", "--queue=400p", "--duration=5s", "--start_jitter=100ms", "--ecn=true")
THRESHOLD_S = 0.001
L4S = ("--ecn_threshold=1ms", "--ns3::TcpSocketBase::Timestamp=false")
ECT = {"true": 2, "false": 1}  # RFC 3168, section 5: ECT(0) is 10, ECT(1) is 01, CE is 11


@pytest.fixture
def shared(run):
    """CUBIC competing with DCTCP at a disc in L4S mode; returns goodputs in Mbit/s and mean waits after 2 s."""

    def shared(disc, ect0="false", l4s="true"):
        cell = run(
            *(*LINK, *L4S, "--flows=2", "--variant=TcpCubic+TcpDctcp", f"--queue_disc={disc}"),
            *(f"--ns3::{disc}::UseL4s={l4s}", f"--ns3::TcpDctcp::UseEct0={ect0}"),
            name=f"{disc}-{ect0}-{l4s}",
        )
        found = []
        for flow in (0, 1):
            rows = [row for row in cell.queue("t") if row["flow"] == flow and row["time"] > 2]
            rate = sum(row["bytes"] for row in rows) * 8 / 3e6
            found.append((rate, sum(row["delay"] for row in rows) / len(rows)))
        return found

    return shared


@pytest.mark.parametrize("ect0", ["true", "false"])
def test_dctcp_sets_the_code_point_that_it_is_told_to_and_others_ect0(run, tmp_path, ect0):
    cell = run(
        *(*LINK, *L4S, "--flows=2", "--variant=TcpDctcp+TcpCubic", "--queue_disc=FqCoDelQueueDisc"),
        *(f"--ns3::TcpDctcp::UseEct0={ect0}", "--duration=1s", "--pcap=bottleneck"),
    )
    _, packets, _ = audited(cell, tmp_path / "parsed")
    packets = packets.filter(pl.col("direction") == "data", pl.col("payload_bytes") > 0).collect()
    for flow, expected in ((0, ECT[ect0]), (1, ECT["true"])):
        codes = packets.filter(pl.col("flow") == flow)["ecn"].value_counts()
        # All of DCTCP's packets can be marked; retransmitted packets of other variants cannot (RFC 3168, 6.1.5).
        assert codes.filter(pl.col("ecn") == expected)["count"].sum() > 0.5 * codes["count"].sum()
        assert set(codes["ecn"]) <= ({expected, 3} if flow == 0 else {expected, 3, 0})


def test_fair_queues_in_l4s_mode_give_dctcp_a_short_wait_and_the_other_its_own(shared):
    (cubic, cubic_wait), (dctcp, dctcp_wait) = shared("FqCoDelQueueDisc")
    # Each has its queue and half the link; DCTCP's waits about the threshold, CUBIC's up to CoDel's 5 ms.
    assert [cubic, dctcp] == pytest.approx([50, 50], rel=0.06)
    assert dctcp_wait < THRESHOLD_S < 0.002 < cubic_wait < 0.006


def test_ect0_is_left_to_the_discs_law_in_l4s_mode(shared):
    (_, _), (_, wait) = shared("FqCoDelQueueDisc", ect0="true")
    assert wait > 5 * THRESHOLD_S
    (_, _), (_, wait) = shared("FqCoDelQueueDisc", ect0="true", l4s="false")
    assert wait < THRESHOLD_S


def test_in_one_queue_with_others_dctcp_starves_as_nothing_couples_their_marks(shared):
    # RFC 9332 has DualPI2 for that, with two queues with coupled marks, which ns-3 3.44 lacks.
    (cubic, _), (dctcp, _) = shared("CoDelQueueDisc")
    assert dctcp < 0.05 * cubic
