# SPDX-License-Identifier: MIT
"""A policer before a link's queue, and thinned acknowledgments after it."""

import itertools
import struct
from fractions import Fraction
from pathlib import Path

import hypothesis
import pytest
import yaml
from hypothesis import strategies

from tests.support.printed import refusal, refused

S = 1_000_000_000  # in ns
FLAGS = {name: 1 << bit for bit, name in enumerate(["FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"])}
TABLE = yaml.safe_load(Path(__file__).with_name("acknowledgments.yaml").read_text())
WRAP = 2**32


def conforming(rate_bps, burst, packets):
    """Which packets, of (time in ns, bytes), conform to a bucket of exact numbers."""
    tokens, last, found = Fraction(burst), 0, []
    for time, size in packets:
        tokens = min(Fraction(burst), tokens + Fraction(rate_bps * (time - last), 8 * S))
        last = time
        found.append(tokens >= size)
        tokens -= size if found[-1] else 0
    return found


def most_beyond(rate_bps, packets):
    """The most bytes, in any interval, beyond the rate times the interval."""
    most, total, least = Fraction(0), 0, None
    for time, size in packets:
        at = total - Fraction(rate_bps * time, 8 * S)
        least = at if least is None else min(least, at)
        total += size
        most = max(most, total - Fraction(rate_bps * time, 8 * S) - least)
    return most


GAPS = strategies.one_of(strategies.integers(0, 10**6), strategies.integers(0, 10**15))


@hypothesis.settings(max_examples=40, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
@hypothesis.given(
    rate=strategies.sampled_from([1, 9600, 1_000_003, 10**9, 10**11]),
    burst=strategies.sampled_from([1, 1502, 64_000, 10**9]),
    steps=strategies.lists(strategies.tuples(GAPS, strategies.integers(1, 9000)), min_size=1, max_size=60),
)
def test_a_token_bucket_counts_exactly(link_parts, rate, burst, steps):
    times = itertools.accumulate(gap for gap, _ in steps)
    packets = [(time, size) for time, (_, size) in zip(times, steps, strict=True)]
    _, *found = link_parts(("bucket", rate, burst), *(("take", *packet) for packet in packets))
    assert [answer == "1" for answer in found] == conforming(rate, burst, packets)


@pytest.mark.parametrize("disc", ["none", "FifoQueueDisc", "FqCoDelQueueDisc"])
def test_policed_traffic_conforms_in_any_interval(changing_link, disc):
    rate, burst, sizes = 2_000_000, 20_000, (1500, 400, 90)
    policer = {"policer_rate": "2Mbps", "policer_burst": "20kB", "bandwidth": "100Mbps", "queue_disc": disc}
    ran = changing_link(sizes=",".join(map(str, sizes)), packets=3000, gap="777us", **policer)
    sent = [(packet, time, sizes[packet % 3] + 2) for event, time, packet, _ in ran.rows if event == "s"]
    expected = conforming(rate, burst, [(time, size) for _, time, size in sent])
    passed = set(ran.order("b"))
    assert [packet in passed for packet, _, _ in sent] == expected
    assert set(ran.order("d")) == {packet for packet, _, _ in sent} - passed
    assert ran.end["policed"] == len(sent) - len(passed) > 100
    admitted = [(time, size) for packet, time, size in sent if packet in passed]
    assert burst - 1502 < most_beyond(rate, admitted) <= burst


def test_a_policer_is_before_the_queue(changing_link):
    # All at once: the burst passes, and then the queue drops packets that do not fit.
    ran = changing_link(policer_rate="1Mbps", policer_burst="15020B", sizes="1500", packets=30, queue="4p")
    assert ran.end["policed"] == 20
    assert len(ran.order("d")) == 20 + 5  # one is in transmission
    assert ran.order("b") == [0, 1, 2, 3, 4]


def sack(*blocks):
    """SACK as TCP has it, after two options that do nothing: RFC 2018, section 3."""
    data = b"".join(struct.pack("!II", *block) for block in blocks)
    return b"\x01\x01" + bytes([5, 2 + len(data)]) + data if blocks else b""


def segment(number, flags="ACK", blocks=(), port=4000, data="", v6=False, fragment=0, protocol=6):
    """A TCP segment in its IP packet, in hexadecimal digits."""
    options = sack(*blocks)
    length = (20 + len(options)) // 4 << 4
    bits = sum(FLAGS[name] for name in flags.split())
    tcp = struct.pack("!HHIIBBHHH", port, 80, 7, number % WRAP, length, bits, 1000, 0, 0) + options + data.encode()
    if v6:
        return (struct.pack("!IHBB", 6 << 28, len(tcp), protocol, 64) + bytes(range(32)) + tcp).hex()
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, fragment, 64, protocol, 0)
    return (head + bytes([10, 0, 0, 1, 10, 0, 0, 2]) + tcp).hex()


@pytest.mark.parametrize("option", refused("changing-link"))
def test_conditions_that_are_none(variant_program, option):
    arguments, problem = option
    assert problem in refusal(variant_program("changing-link"), *arguments.split())


@pytest.mark.parametrize("v6", [False, True])
@pytest.mark.parametrize(("packet", "expected"), TABLE["pure"])
def test_which_segments_only_acknowledge(link_parts, packet, expected, v6):
    assert link_parts(("pure", segment(**packet, v6=v6))) == [expected]


def test_an_incomplete_segment_is_no_acknowledgment(link_parts):
    whole = segment(5, blocks=[(7, 9)])
    broken = [whole[: 2 * size] for size in range(1, len(whole) // 2)]
    fragments = [segment(5, fragment=0x2000), segment(5, fragment=0x0001)]
    assert set(link_parts(*(("pure", packet) for packet in broken + fragments))) == {"none"}
    assert link_parts(("pure", segment(5, fragment=0x4000))) == ["5 0"]  # Don't Fragment


def thinned(link_parts, packets, most=0):
    """Which of packets that wait together are dropped as their turns come."""
    numbered = list(enumerate(packets, 1))
    calls = [("filter", most), *(("enter", *packet) for packet in numbered), *(("leave", n) for n, _ in numbered)]
    return [answer == "1" for answer in link_parts(*calls)[1 + len(packets) :]]


@pytest.mark.parametrize(("older", "newer", "dropped"), TABLE["thinned"])
def test_an_acknowledgment_is_dropped_only_if_the_newer_one_says_as_much(link_parts, older, newer, dropped):
    assert thinned(link_parts, [segment(**older), segment(**newer)]) == [dropped, False]


def test_of_a_flow_that_waits_only_the_newest_goes_and_dropped_ones_do_not_count(link_parts):
    one, other = ([segment(1000 * i, port=port) for i in range(1, 5)] for port in (4000, 4001))
    waiting = [packet for pair in zip(one, other, strict=True) for packet in pair]
    assert thinned(link_parts, waiting) == [True] * 6 + [False] * 2
    calls = [("filter", 0), *(("enter", n, segment(1000 * n)) for n in (1, 2, 3)), ("forget", 3)]
    # The disc has dropped the newest, so the others may be all that the sender hears.
    assert link_parts(*calls, ("leave", 1), ("leave", 2))[-2:] == ["0", "0"]


@pytest.mark.parametrize("most", [2, 3, 4])
def test_one_of_so_many_goes(link_parts, most):
    dropped = thinned(link_parts, [segment(1000 * i) for i in range(1, 12)], most)
    kept = [place for place, gone in enumerate(dropped) if not gone]
    assert kept[:-1] == list(range(most - 1, 10, most))
    assert kept[-1] == 10


@pytest.mark.parametrize("ip", [4, 6])
@pytest.mark.parametrize("disc", ["none", "FifoQueueDisc", "FqCoDelQueueDisc"])
def test_thinning_lets_data_flow_over_a_slow_way_back(changing_link, disc, ip):
    # Acknowledgments share 20 kbit/s; their data come at up to 10 Mbit/s.
    options = {"tcp": 3, "bandwidth": "20kbps", "back_bandwidth": "10Mbps", "delay": "5ms", "queue": "50p"}
    options |= {"queue_disc": disc, "ip": ip, "duration": "10s"}
    plain, thin = changing_link(**options), changing_link(ack_thinning="all", **options)
    assert plain.end["thinned"] == 0
    codel = len(thin.order("a")) - thin.end["thinned"]
    assert thin.end["thinned"] > 500
    assert codel == 0 or (disc == "FqCoDelQueueDisc" and codel > 0)
    assert thin.end["received"] > 1.5 * plain.end["received"]
    # Packets that are reported as dropped were not sent, and vice versa.
    assert not set(thin.order("a")) & set(thin.order("b"))


def test_thinning_changes_nothing_where_nothing_waits(changing_link):
    options = {"tcp": 1, "bandwidth": "1Gbps", "back_bandwidth": "20Mbps", "delay": "5ms", "duration": "2s"}
    assert changing_link(ack_thinning="all", **options).rows == changing_link(**options).rows
