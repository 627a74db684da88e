# SPDX-License-Identifier: MIT
"""UDP packets between the kernel's sockets, in real time, measure the configured rate, delay, queue and loss."""

import statistics

import numpy as np
import pytest
from scipy import stats

pytestmark = pytest.mark.linux
PAYLOAD, WIRE = 1448, 1448 + 8 + 20 + 2  # UDP's header, IP's and PPP's
NEAR_S = 0.5e-3
# A link that nobody fills and that loses, and one that gets more than it carries.
LINKS = {
    "thin": {"between": "a,b", "bandwidth": "20Mbps", "delay": "20ms", "queue": "500p", "loss": "0.02"},
    "full": {"between": "c,d", "bandwidth": "4Mbps", "delay": "10ms", "queue": "200p"},
}
PROBES = {
    "delay": {"from": "a", "to": "b", "packet_rate": "500"},
    "flood": {"from": "c", "to": "d", "packet_rate": "600"},
}


@pytest.fixture(scope="module")
def probes(in_time, variant_program):
    """When the packets of each flow were sent, in s, and when they came, NaN for never."""
    given = {f"links.{name}": says for name, says in LINKS.items()}
    given |= {f"flows.{name}": says for name, says in PROBES.items()}
    told = [f"--{name}.{field}={value}" for name, says in given.items() for field, value in says.items()]
    command = [variant_program("kernel-probes"), *told, "--duration=5s", f"--segment_size={PAYLOAD}"]
    rows = np.array([[int(each) for each in line.split()] for line in in_time(command).splitlines()])
    begin = rows[:, 2].min()
    found = {}
    for number, name in enumerate(PROBES):
        own = rows[rows[:, 0] == number]
        found[name] = (own[:, 2] - begin) / 1e9, np.where(own[:, 3] > 0, (own[:, 3] - begin) / 1e9, np.nan)
    return found


def delays(sent_s, received_s):
    return (received_s - sent_s)[~np.isnan(received_s)]


def test_the_delay_and_the_loss_are_those_which_are_set(probes):
    # Of single packets, the sender's process may have been put off between its clock and its call.
    expected_s = 20e-3 + WIRE * 8 / 20e6
    assert statistics.median(delays(*probes["delay"])) == pytest.approx(expected_s, abs=NEAR_S)
    sent_s, received_s = probes["delay"]
    low, high = stats.binom.interval(1 - 1e-6, len(sent_s), 0.02)
    assert low <= np.isnan(received_s).sum() <= high


def test_the_measured_rate_and_queue_equal_the_settings(probes):
    sent_s, received_s = probes["flood"]
    packet_s, queue = WIRE * 8 / 4e6, 200
    later = sent_s > 2  # 262 packets in a second are left over, and have filled the queue by 0.8 s
    came_s = np.sort(received_s[later & ~np.isnan(received_s)])
    rate_bps = (len(came_s) - 1) * WIRE * 8 / (came_s[-1] - came_s[0])
    assert rate_bps == pytest.approx(4e6, rel=5e-3)
    # Whoever is let into a full queue is its last, behind what is left of the packet that is being sent. The queue may
    # have room where the sender's process was put off.
    waits_s = delays(sent_s[later], received_s[later]) - 10e-3
    assert queue * packet_s - NEAR_S <= np.median(waits_s)
    assert np.quantile(waits_s, 0.95) <= (queue + 1) * packet_s + NEAR_S
