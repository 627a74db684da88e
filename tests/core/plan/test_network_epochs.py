# SPDX-License-Identifier: MIT
"""The expected time between window reductions in custom topologies."""

import pytest

from tcpsweep.core.plan import congestion_epochs, too_little
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
