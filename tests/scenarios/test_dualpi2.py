# SPDX-License-Identifier: MIT
"""DualPI2 by the pseudo-code of RFC 9332, appendix A: each law without a network, and then all in one link."""

import statistics

import pytest

from tests.support.printed import printed

DISC = "DualPi2QueueDisc"
NOT_ECT, ECT1, ECT0, CE = 0, 1, 2, 3  # RFC 3168, section 5
# Appendix A.1: min(15 ms, 100 ms / 3), 0.1 Tupdate / (100 ms)^2, 0.3 / 100 ms.
TUPDATE_S, ALPHA_HZ, BETA_HZ = 0.015, 0.15, 3


@pytest.fixture(scope="module")
def through(variant_program, library_of):
    """Drives the disc through steps in the format of `tests/programs/drive-disc.cc`; returns a row for each."""

    def through(steps, *attributes):
        lines = "".join(" ".join(map(str, step)) + "\n" for step in steps)
        said = printed(variant_program("drive-disc"), *library_of(DISC), f"ns3::{DISC}", *attributes, text=lines)
        rows = [dict(pair.split("=") for pair in line.split()) for line in said.splitlines()]
        return [{name: float(value) for name, value in row.items()} for row in rows]

    return through


def left(steps, rows):
    """The rows of the packets that left."""
    return [row for step, row in zip(steps, rows, strict=True) if step[1] == "out"]


def at_base(probability, ecn, count=2000):
    """Steps in which p' gets a value at 1 s by the gain Beta alone, and `count` packets then pass without waiting."""
    steps = [(0.9, "in", NOT_ECT, 1500), (1.1, "out")]
    for number in range(count):
        steps += [(1.2 + number * 1e-4, "in", ecn, 1500), (1.2 + number * 1e-4, "out")]
    return steps, ("Tupdate=1s", "Alpha=1e-12", f"Beta={probability / 0.1}")


def fractions(through, probability, ecn, *attributes):
    """The fractions of packets that were marked and dropped at a base probability."""
    steps, settings = at_base(probability, ecn)
    rows = through(steps, *settings, *attributes)
    assert rows[2]["p"] == pytest.approx(probability, rel=1e-6)
    passed = left(steps, rows)[1:]
    marked = sum(row["ecn"] == CE for row in passed) / len(passed)
    return marked, (rows[-1]["drops"] - rows[1]["drops"]) / len(passed)


def test_the_base_probability_follows_the_pi_controller(through):
    # One packet waits in C for six updates: its delay grows by Tupdate from update to update.
    probes = [((n + 0.5) * TUPDATE_S, "in", ECT1, 100) for n in range(1, 7)]
    rows = through([(0, "in", NOT_ECT, 1500), *probes])
    expected, previous = 0, 0
    for update, row in enumerate(rows[1:], start=1):
        delay = update * TUPDATE_S
        expected += ALPHA_HZ * (delay - 0.015) + BETA_HZ * (delay - previous)
        previous = delay
        assert row["p"] == pytest.approx(expected, rel=1e-9)
    # The longer delay of both queues counts.
    for queue in (ECT1, NOT_ECT):
        rows = through([(0, "in", queue, 1500), (0.02, "in", ECT0, 1500)])
        assert rows[1]["p"] == pytest.approx(BETA_HZ * 0.015, rel=1e-9)


@pytest.mark.parametrize("k", [2, 1])
@pytest.mark.parametrize("base", [0.05, 0.2, 0.4])
def test_l4s_is_marked_in_proportion_and_classic_by_the_square(through, base, k):
    coupling = f"CouplingFactor={k}"
    l4s = fractions(through, base, ECT1, coupling)
    assert l4s == pytest.approx((k * base, 0), abs=0.001)  # p_CL = k p', section 2.1
    assert fractions(through, base, ECT0, coupling) == pytest.approx((base**2, 0), abs=0.001)  # p_C = p'^2
    assert fractions(through, base, NOT_ECT, coupling) == pytest.approx((0, base**2), abs=0.001)


def test_marks_saturate_at_a_half_and_then_both_queues_drop(through):
    # p_Lmax is 1, which k p' reaches at 0.5, where p_C is p_Cmax, 1 / k^2; appendix A.2.
    assert fractions(through, 0.49, ECT1) == pytest.approx((0.98, 0), abs=0.001)
    assert fractions(through, 0.49, ECT0) == pytest.approx((0.49**2, 0), abs=0.001)
    marked, dropped = fractions(through, 0.6, ECT1)
    assert dropped == pytest.approx(0.36, abs=0.001)
    assert marked == pytest.approx(1 - 0.36, abs=0.001)  # of all: each packet that is not dropped
    assert fractions(through, 0.6, ECT0) == pytest.approx((0, 0.36), abs=0.001)


def waits(delay, behind, count=200):
    """Packets of L that wait for `delay` with `behind` others behind them when they leave."""
    spacing = delay / behind
    steps = [(1 + n * spacing, "in", ECT1, 1500) for n in range(count)]
    steps += [(1 + n * spacing + delay * (1 + 1e-6), "out") for n in range(count - behind)]
    return sorted(steps)


@pytest.mark.parametrize(
    ("delay_s", "attributes", "expected"),
    [
        (0.0007, (), 0),
        (0.001, (), 0.5),  # half of the ramp from 0.8 to 1.2 ms, appendix A.1
        (0.0011, (), 0.75),
        (0.0013, (), 1),
        (0.00099, ("MinTh=1ms", "Range=0s"), 0),  # a step
        (0.00101, ("MinTh=1ms", "Range=0s"), 1),
    ],
)
def test_the_l4s_queue_marks_by_its_own_delay(through, delay_s, attributes, expected):
    steps = waits(delay_s, behind=4)
    passed = left(steps, through(steps, *attributes))
    assert sum(row["ecn"] == CE for row in passed) / len(passed) == pytest.approx(expected, abs=0.01)


def test_a_packet_with_no_more_than_one_behind_it_is_not_marked_for_its_delay(through):
    steps = waits(0.005, behind=1)
    assert {row["ecn"] for row in left(steps, through(steps))} == {ECT1}
    _, *others = left(steps, through(steps, "ThLen=0"))
    assert {row["ecn"] for row in others} == {CE}  # recur() hits above a sum of 1, so the first one passes


def test_the_ecn_field_chooses_the_queue_and_both_queues_share_one_limit(through):
    # What is in L leaves first.
    steps = [(1, "in", ecn, 1500) for ecn in (NOT_ECT, ECT0, CE, ECT1)] + [(1.0001, "out")] * 4
    assert [row["packet"] for row in left(steps, through(steps))] == [2, 0, 3, 1]
    assert [row["packet"] for row in left(steps, through(steps, "AnyEct=true"))][:2] == [1, 0]
    steps = [(1, "in", ecn, 1500) for ecn in (ECT1, NOT_ECT) * 5]
    assert through(steps, "MaxSize=7p")[-1]["drops"] == 3
    assert through(steps, "MaxSize=7500B")[-1]["drops"] == 5


@pytest.mark.parametrize("share", [0.1, 0.5])
@pytest.mark.parametrize("sizes", [(1500, 1500), (100, 1500), (1500, 100)])
def test_neither_queue_starves_while_both_have_packets(through, share, sizes):
    l4s, classic = sizes
    count = 3000
    steps = [(1, "in", ECT1, l4s)] * count + [(1, "in", NOT_ECT, classic)] * count + [(1.001, "out")] * (count // 4)
    rows = left(steps, through(steps, f"ClassicShare={share}"))
    sent = {True: 0, False: 0}
    for row in rows:
        is_classic = row["packet"] >= count
        sent[is_classic] += classic if is_classic else l4s
        # Section 4.2.2: C gets its share at all times, to within a packet.
        assert abs(sent[True] - share * sum(sent.values())) <= max(sizes)


def test_cubic_and_dctcp_share_a_link_and_only_cubic_waits(run, library_of):
    cell = run(
        *library_of(DISC),
        *("--bandwidth=40Mbps", "--delay=5ms", "--queue=1000p", "--duration=10s", "--ecn=true", "--flows=2"),
        *("--variant=TcpCubic+TcpDctcp", f"--queue_disc={DISC}", "--ns3::TcpSocketBase::Timestamp=false"),
        "--ns3::TcpDctcp::UseEct0=false",
    )
    sent = [[row for row in cell.queue("t") if row["flow"] == flow and row["time"] > 3] for flow in (0, 1)]
    cubic, dctcp = (sum(row["bytes"] for row in rows) * 8 / 7e6 for rows in sent)
    cubic_wait, dctcp_wait = (statistics.median(row["delay"] for row in rows) for rows in sent)
    assert cubic + dctcp > 38
    assert 0.5 < cubic / dctcp < 2
    assert dctcp_wait < 0.0012 < 0.010 < cubic_wait < 0.020
