# SPDX-License-Identifier: MIT
"""The expected time between window reductions in custom topologies, and the warning about it."""

import re

import pytest

from tcpsweep.plan import congestion_epochs, too_little
from tests.support.networks import read

LINK = "between: [a, b], bandwidth: 96Mbps, delay: 5ms, queue: 96p"
FLOW = "from: a, to: b"
PARKING_LOT = """\
sweep: s
scenario: parking-lot
grid: {variant: [TcpLinuxReno], hops: [1, 2, 3, 5]}
fixed: {duration: 40s, warmup: 20s}
"""


def one_link(link=LINK, flow=FLOW, more=""):
    text = f"""\
sweep: s
scenario: network
network:
  links: {{hop: {{{link}}}}}
  flows: {{long: {{{flow}}}}}
{more}fixed: {{variant: TcpNewReno, segment_size: 1196}}
"""
    return read(text).combinations[0]


def test_one_link_has_the_sawtooth_of_a_dumbbell():
    # As `test_an_epoch_of_newreno_is_that_of_the_sawtooth` counts it: 192 round trips of 15 ms.
    assert congestion_epochs.network_epochs_s(one_link()) == {"TcpNewReno": pytest.approx(192 * 0.015, rel=0.01)}


@pytest.mark.parametrize("hops, epochs", [(1, 52), (2, 14), (3, 8), (5, 3)])
def test_a_parking_lot_has_about_as_many_epochs_as_were_counted(hops, epochs):
    # The fewest that a flow went through in 20 s of three runs of config/parking-lot.yaml, as `steadiness` counts them.
    rows = {row["hops"]: row for row in read(PARKING_LOT).combinations}
    assert 20 / congestion_epochs.network_epochs_s(rows[hops])["TcpLinuxReno"] == pytest.approx(epochs, rel=0.2)


def test_flows_that_reach_no_five_epochs_are_told_with_what_to_write():
    told = [each for each in too_little.warnings(read(PARKING_LOT)) if "congestion epochs" in each]
    assert len(told) == 1 and "(1 of 4 combinations)" in told[0] and "hops 5" in told[0]
    (needed,) = re.findall("`duration: ([0-9]+)s`", told[0])
    longer = PARKING_LOT.replace("40s", f"{needed}s")
    assert not [each for each in too_little.warnings(read(longer)) if "congestion epochs" in each]


@pytest.mark.parametrize(
    ("link", "flow", "more"),
    [
        (f"{LINK}, loss: 0.01", FLOW, ""),
        (f"{LINK}, queue_disc: fq_codel", FLOW, ""),
        (LINK.replace("queue: 96p", "queue: none"), FLOW, ""),
        (LINK, f"{FLOW}, bytes: 1MB", ""),
        (LINK, f"{FLOW}, stop: 5s", ""),
        (LINK, f"{FLOW}, variant: TcpBbr", ""),
        (LINK, FLOW, "  traffic: {calls: {kind: realtime, from: a, to: b}}\n"),
    ],
)
def test_where_the_window_is_not_known_nothing_is_said(link, flow, more):
    assert congestion_epochs.network_epochs_s(one_link(link, flow, more)) == {}


def test_of_a_large_sweep_some_combinations_are_looked_at(monkeypatch):
    monkeypatch.setattr(too_little, "MOST_NETWORKS", 2)
    text = PARKING_LOT.replace("[1, 2, 3, 5]", "[5, 1, 6, 2]")
    (told,) = (each for each in too_little.warnings(read(text)) if "congestion epochs" in each)
    assert "(some of 4 combinations)" in told and "hops 6" in told


def test_web_clients_that_may_ask_for_no_page_are_told():
    text = f"""\
sweep: s
scenario: network
network:
  links: {{hop: {{{LINK}}}}}
  traffic: {{pages: {{kind: web, from: b, to: a}}}}
repetitions: 5
fixed: {{variant: TcpCubic, duration: 20s, warmup: 5s}}
"""
    (told,) = too_little.warnings(read(text))
    assert told.startswith("the clients of traffic.pages think 30 s between two pages, and request about 0.5")
    assert list(too_little.warnings(read(text.replace("to: a", "to: a, think: 2s")))) == []


def test_traffic_that_ends_within_the_warmup_is_told():
    short = f"short: {{kind: arrivals, {FLOW}, rate: 5, stop: 5s}}"
    traffic = f"  traffic: {{{short}, film: {{kind: video, {FLOW}}}}}\n"
    text = f"sweep: s\nscenario: network\nnetwork:\n  links: {{only: {{{LINK}}}}}\n{traffic}"

    def told(more):
        return [each for each in too_little.warnings(read(text + more)) if "the traffic" in each]

    assert told("grid: {duration: [20s, 16s]}\nfixed: {network.traffic.film.stop: 4s}") == [
        "the traffic short stops at 5s, within the warm-up of 5s, so none of its transfers "
        "counts (1 of 2 combinations): write a later `stop` or a shorter `warmup`"
    ]
    assert told("fixed: {duration: 20s, warmup: 4s}") == told("fixed: {duration: 20s, warmup: auto}") == []
