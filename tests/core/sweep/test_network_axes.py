# SPDX-License-Identifier: MIT
"""Values zipped with a variant belong to the variant, not to the network condition of a comparison."""

import pytest

from tcpsweep.core.analysis import comparisons
from tcpsweep.core.sweep import axes, requests
from tests.support.sweep_texts import sweep_of

ZIPPED = "zip: {variant: [TcpCubic, TcpDctcp], queue_disc: [none, red], ecn: [false, true], ecn_threshold: [none, 20p]}"


def compared(sweep):
    """The pairs of combinations that are compared, each with the values of its own and of its reference's axes."""
    rows = comparisons.pairs(sweep).select("combination", "reference_combination").unique(maintain_order=True).rows()
    return [tuple(tuple(sweep.texts[number].values()) for number in pair) for pair in rows]


def test_zipped_settings_go_with_the_variant_and_the_rest_is_the_network():
    sweep = sweep_of(f"grid: {{delay: [5ms, 10ms]}}\nfixed: {{queue: 100p}}\n{ZIPPED}")
    assert sweep.with_variant == ["queue_disc", "ecn", "ecn_threshold"]
    assert [*axes.network_axes(sweep)] == ["delay"]
    assert axes.network_texts(sweep) == [{"delay": delay} for delay in ("5ms", "5ms", "10ms", "10ms")]
    assert compared(sweep) == [
        ((delay, "TcpDctcp", "RedQueueDisc", "true", "20p"), (delay, "TcpCubic", "none", "false", "none"))
        for delay in ("5ms", "10ms")
    ]
    assert axes.settings_of_variants(sweep) == (
        "CUBIC has queue disc none, ecn false, ecn threshold none; "
        "DCTCP has queue disc RedQueueDisc, ecn true, ecn threshold 20p."
    )


def test_variants_that_share_their_settings_are_said_together():
    sweep = sweep_of("zip: {variant: [TcpCubic, TcpBbr, TcpVegas], queue: [10p, 10p, 20p]}")
    assert axes.settings_of_variants(sweep) == "CUBIC and BBR have queue 10p; Vegas has queue 20p."


@pytest.mark.parametrize(
    ("text", "own", "pairs"),
    [
        # A variant that has two values has no setting of its own; what else is zipped may still be one.
        ("zip: {variant: [TcpCubic, TcpBbr, TcpBbr], queue: [10p, 10p, 20p]}", [], 1),
        ("zip: {variant: [TcpCubic, TcpBbr, TcpBbr], queue: [10p, 10p, 20p], loss: [0, 0.01, 0.01]}", ["loss"], 1),
        # What only happens to follow from the variant may be another network.
        ("grid: [{variant: [TcpCubic], delay: [5ms]}, {variant: [TcpBbr], delay: [10ms]}]", [], 0),
        ("grid: {variant: [TcpCubic, TcpBbr]}\nzip: {delay: [5ms, 10ms], queue: [10p, 20p]}", [], 2),
    ],
)
def test_only_zipped_values_that_depend_on_the_variant_belong_to_it(text, own, pairs):
    sweep = sweep_of(text)
    assert sweep.with_variant == own
    assert len(compared(sweep)) == pairs


@pytest.mark.parametrize(
    ("text", "scenario"),
    [
        # A preset sets attributes, and the parameters of a custom topology set its links.
        ("zip: {variant: [TcpCubic, TcpBbr], preset: [linux, datacentre]}\ngrid: {delay: [5ms, 10ms]}", "dumbbell"),
        (f"{ZIPPED}\ngrid: {{host_bandwidth: [1Gbps, 2Gbps]}}", "leaf-spine"),
    ],
)
def test_values_computed_from_a_variants_settings_belong_to_it(text, scenario):
    sweep = sweep_of(text, scenario)
    assert len(sweep.combinations) == 4
    assert len({*axes.network_keys(sweep)}) == len(compared(sweep)) == 2


def test_lines_of_variants_are_not_named_by_their_settings():
    sweep = sweep_of(f"{ZIPPED}\nfixed: {{flows: 1, queue: 100p}}")
    runs, beside = [1] * len(sweep.own), axes.beside_variant(sweep)
    labels = [line.label for line in requests.figure_lines(["cwnd"], sweep.own, runs, beside)]
    assert labels == ["TcpCubic", "TcpDctcp"]
