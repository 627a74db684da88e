# SPDX-License-Identifier: MIT
"""Our variants follow their equations for made-up sequences of ACKs, losses and timeouts."""

import math
from pathlib import Path

import numpy as np
import pytest
import yaml

from tests.support.printed import printed

MSS = 1000
NS = 10**9  # times are whole nanoseconds, as ns-3's are
STEPS = yaml.safe_load(Path(__file__).with_name("steps.yaml").read_text())


class Socket:
    """What ns-3's socket does at each step, and what both variants have of it: NewReno's slow start, B and RTT_min."""

    def __init__(self, samples):
        self.cwnd, self.ssthresh = 10 * MSS, 20 * MSS
        self.samples, self.bandwidth, self.min_rtt, self.rtt = samples, 0.0, math.inf, 0.0
        self.highest, self.accounted_for, self.in_recovery = None, 0, False

    def run(self, steps):
        """The names and values after each step."""
        for time, what, *rest in steps:
            getattr(self, what)(round(time * NS), *rest)
            yield {"cwnd": self.cwnd, "ssthresh": self.ssthresh, **self.traced()}

    def ack(self, time, number, rtt):
        previous = self.highest
        self.rtt, self.min_rtt = rtt, min(self.min_rtt, rtt)
        self.bandwidth = self.samples(time, self.reported(number), rtt)
        if number > (previous or 0) and not self.in_recovery:
            self.grow((number - (previous or 0)) // MSS)

    def reported(self, number):
        """Bytes: the procedure AckedCount of the paper, its counts times the segment's size."""
        if self.highest is None:
            self.highest = number
            return 0
        acked, self.highest = number - self.highest, number
        if acked == 0:
            self.accounted_for += MSS
            acked = MSS
        if acked > MSS:
            if self.accounted_for >= acked:
                self.accounted_for -= acked
                acked = MSS
            else:
                acked -= self.accounted_for
                self.accounted_for = 0
        return acked

    def recovered(self, time, number, rtt):
        self.cwnd, self.in_recovery = self.ssthresh, False
        self.ack(time, number, rtt)

    def loss(self, time):
        self.in_recovery = True
        self.reduce(time)

    def timeout(self, time):
        self.reduce(time)
        self.cwnd = MSS

    def grow(self, segments):
        """As RFC 5681: an ACK that ends slow start counts as its other segments in congestion avoidance."""
        if self.cwnd < self.ssthresh:
            self.start()
            segments -= 1
        if self.cwnd >= self.ssthresh and segments:
            self.avoid()

    def start(self):
        self.cwnd += MSS

    def avoid(self):
        self.cwnd += MSS * MSS // self.cwnd


class Plain:
    """B after each ACK: what came since the ACK before, in its time; bit/s."""

    begin, bits, estimate = None, 0, 0.0

    def __call__(self, time, data, rtt):
        self.bits += 8 * data
        if self.begin is None:
            self.begin = time
        elif self.is_due(time - self.begin, rtt):
            self.until(time)
            self.add(time, self.bits / (time - self.begin) * NS)
            self.begin, self.bits = time, 0
        return self.estimate

    def is_due(self, passed, rtt):
        return passed > 0

    def until(self, time):
        return self.estimate

    def add(self, time, sample):
        self.estimate = sample


class Filtered(Plain):
    """B by Tustin's formula, with samples of 0 where tau / m is without one."""

    def __init__(self, tau=0.5, m=2):
        self.tau, self.longest, self.last = tau * NS, tau * NS / m, None

    def until(self, time):
        while self.last and time - self.last[0] > self.longest:
            self.add(self.last[0] + self.longest, 0.0)
        return self.estimate

    def add(self, time, sample):
        if self.last:
            before, previous = self.last
            steps = 2 * self.tau / (time - before)
            gain = (steps - 1) / (steps + 1)
            self.estimate = gain * self.estimate + (1 - gain) * (sample + previous) / 2
        else:
            self.estimate = sample
        self.last = time, sample


class OncePerRoundTrip(Plain):
    """B after each round trip: 0.9 of the last and 0.1 of the sample."""

    def is_due(self, passed, rtt):
        return passed >= rtt * NS

    def add(self, time, sample):
        self.estimate = 0.9 * self.estimate + 0.1 * sample if self.estimate else sample


class Westwood(Socket):
    threshold = None

    def traced(self):
        return {"EstimatedBW": self.bandwidth}

    def reduce(self, time):
        self.bandwidth = self.samples.until(time)
        self.threshold = max(int(self.bandwidth * self.min_rtt / 8), 2 * MSS)
        self.ssthresh = min(self.threshold, max(self.cwnd, 2 * MSS))

    def grow(self, segments):
        self.ssthresh, self.threshold = self.threshold or self.ssthresh, None
        super().grow(segments)


def increment(c, most, alpha=10):
    """W_inc in segments at a congestion level, where ``most`` is W_max."""
    beta = 2 * most * (1 / alpha - (1 / alpha + 1) / math.exp(alpha))
    gamma = 1 - 2 * most * (1 / alpha - (1 / alpha + 1 / 2) / math.exp(alpha))
    return most / math.exp(alpha * c) + c * beta + gamma


class AdaptiveReno(Socket):
    a, alpha, rate, least = 0.85, 10, 10e6, 1e-3

    def __init__(self, samples, **constants):
        super().__init__(samples)
        vars(self).update(constants)
        self.base, self.probe, self.level, self.step, self.congestion_rtt = 0.0, 0.0, 0.0, 0.0, 0.0
        self.timed_out = False

    def traced(self):
        return {
            "EstimatedBW": self.bandwidth,
            "BaseWindow": self.base,
            "ProbeWindow": self.probe,
            "CongestionLevel": self.level,
            "WindowIncrement": self.step,
        }

    def congestion(self):
        if self.congestion_rtt - self.min_rtt < self.least:
            return 0.0
        return min(max((self.rtt - self.min_rtt) / (self.congestion_rtt - self.min_rtt), 0), 1)

    def reduce(self, time):
        a = 0 if self.congestion_rtt < self.min_rtt else self.a
        self.congestion_rtt = a * self.congestion_rtt + (1 - a) * self.rtt
        self.level = self.congestion()
        self.base, self.probe = max((self.base + self.probe) / (1 + self.level), 2), 0.0
        self.ssthresh = int(self.base * MSS)

    def timeout(self, time):
        super().timeout(time)
        self.timed_out = True

    def start(self):
        super().start()
        self.base, self.probe = self.cwnd / MSS, 0.0

    def avoid(self):
        if self.timed_out:
            self.base, self.probe, self.timed_out = self.ssthresh / MSS, 0.0, False
        self.level = self.congestion()
        self.step = increment(self.level, self.bandwidth / self.rate, self.alpha)
        window = self.base + self.probe
        self.base, self.probe = self.base + 1 / window, max(self.probe + self.step / window, 0)
        self.cwnd = int((self.base + self.probe) * MSS)


def assert_alike(said, expected):
    for number, (row, wanted) in enumerate(zip(said, expected, strict=True)):
        assert row.keys() == wanted.keys()
        for name, value in wanted.items():
            assert row[name] == pytest.approx(value, rel=1e-9, abs=1e-9), (number, STEPS[number], name)


@pytest.mark.parametrize(
    ("attributes", "samples"),
    [
        ([], Filtered()),
        (["FilterTimeConstant=200ms", "SamplesPerTimeConstant=8"], Filtered(0.2, 8)),
        (["Filter=false"], Plain()),
    ],
)
def test_westwood_does_at_every_step_what_its_paper_says(drive, attributes, samples):
    said = drive("TcpWestwood", *attributes, steps=STEPS)
    assert_alike(said, Westwood(samples).run(STEPS))
    assert len({row["cwnd"] for row in said}) > 20
    assert len({row["ssthresh"] for row in said}) >= 3


@pytest.mark.parametrize(
    ("attributes", "constants", "samples"),
    [
        ((), {}, Filtered()),
        (("SamplePerRtt=true",), {}, OncePerRoundTrip()),
        (
            ("ScalingRate=100kbps", "Alpha=4", "SmoothingFactor=0.5", "MinCongestionDelay=20ms"),
            {"rate": 100e3, "alpha": 4, "a": 0.5, "least": 0.02},
            Filtered(),
        ),
    ],
)
def test_adaptive_reno_does_at_every_step_what_its_equations_say(drive, attributes, constants, samples):
    said = drive("TcpAdaptiveReno", *attributes, steps=STEPS)
    assert_alike(said, AdaptiveReno(samples, **constants).run(STEPS))
    assert len({row["CongestionLevel"] for row in said}) > 10
    assert len({row["ProbeWindow"] for row in said}) > 10


def test_data_are_counted_once_however_they_are_acknowledged(drive):
    """A burst of 20 segments every 100 ms, its first lost: without a filter, B is an ACK's bytes over its time."""
    steps = [(0.1, "ack", 1000, 0.1), *((0.2 + 0.001 * i, "ack", 1000, 0.1) for i in range(19))]
    said = drive("TcpWestwood", "Filter=false", steps=[*steps, (0.3, "ack", 21000, 0.1)])
    assert said[-2]["EstimatedBW"] == pytest.approx(8 * MSS / 0.001)  # a duplicate is one segment
    assert said[-1]["EstimatedBW"] == pytest.approx(8 * MSS / (0.3 - 0.218))  # 20 reported, 19 of them before


def test_b_is_the_rate_at_which_acks_come_evenly_and_fades_without_them(drive):
    """A segment every 2 ms is 4 Mbit/s; after 1 s of nothing, samples of 0 came at 250, 500, 750 and 1000 ms."""
    steps = [(0.002 * i, "ack", 1000 * i, 0.05) for i in range(1, 1001)]
    said = drive("TcpWestwood", steps=[*steps, (3.001, "loss")])
    assert said[-2]["EstimatedBW"] == pytest.approx(4e6)
    # By hand, with tau of 500 ms and steps of 250 ms: each keeps 3/5, and the first takes 1/5 of the last sample.
    assert said[-1]["EstimatedBW"] == pytest.approx((4e6 * 3 / 5 + 4e6 / 5) * (3 / 5) ** 3)


def test_the_increments_of_adaptive_reno_are_what_its_paper_asks_of_them(drive):
    """Reno's increment where the path is full, and on average; about 0.8 W_max more where it is free."""
    # W_max is 40 segments: B is 4 Mbit/s, and M is 100 kbit/s. RTT_min is 100 ms; the loss at 200 ms makes RTT_cong.
    steps = [(0.002 * i, "ack", 1000 * i, 0.1) for i in range(1, 1000)]
    steps += [(2.0, "ack", 1_000_000, 0.2), (2.001, "loss")]
    levels = np.linspace(0, 1, 201)
    rows = [(2.002 + 0.002 * i, 1_001_000 + 1000 * i, 0.1 + 0.1 * level) for i, level in enumerate(levels)]
    steps += [(time, "recovered" if i == 0 else "ack", *rest) for i, (time, *rest) in enumerate(rows)]
    said = drive("TcpAdaptiveReno", "ScalingRate=100kbps", steps=steps)[-len(levels) :]
    names = ("CongestionLevel", "WindowIncrement", "EstimatedBW")
    levels, values, mosts = (np.array([row[name] for row in said]) for name in names)
    mosts = mosts / 100e3
    assert mosts == pytest.approx(np.full(len(mosts), 40))  # so that the values come from one function
    assert (levels[0], levels[-1]) == pytest.approx((0, 1))
    assert values[-1] == pytest.approx(1)
    assert np.trapezoid(values, levels) == pytest.approx(1, abs=0.001)  # the trapezoids' error is h²/12 · W_inc'(0)
    assert values[0] == pytest.approx(1 + 0.8 * 40, rel=0.01)
    assert values.min() == pytest.approx(1 - 0.1 * 40, abs=0.1)
    assert levels[values.argmin()] == pytest.approx(0.39, abs=0.01)


def test_westwood_alone_fills_its_link_and_knows_its_rate(variant_program, library_of):
    lines = printed(variant_program("link"), *library_of("TcpWestwood")).splitlines()
    rows = [tuple(map(float, line.split())) for line in lines]
    steady = [row for row in rows if row[0] >= 10]
    (begin, _, before), (end, _, after) = steady[0], steady[-1]
    delivered = 8 * (after - before) / (end - begin)
    # A packet has 1448 bytes of payload, and 32 of TCP's header, 20 of IP's and 2 of PPP's.
    assert delivered == pytest.approx(5e6 * 1448 / 1502, rel=0.02)
    assert np.mean([bandwidth for _, bandwidth, _ in steady]) == pytest.approx(delivered, rel=0.02)
