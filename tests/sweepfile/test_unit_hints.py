# SPDX-License-Identifier: MIT
"""The messages about quantities with a missing or wrong unit: they never suggest an absurd value."""

import pytest

from tcpsweep.plan import checked_sweep
from tcpsweep.sweepfile.keys import schema
from tcpsweep.words import normal_forms, quantities, quantity_forms
from tests.support.sweep_texts import document_of, ids, mistakes

FIGURE = "figures: [{title: t, show: [cwnd], "


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("fixed: {duration: 20}", "20s"),
        ("fixed: {duration: 1m}", "60s"),
        ("fixed: {duration: 2 minutes}", "2min"),
        ("fixed: {duration: 60000}", "60s"),
        ("fixed: {start: [0s, 3]}", "3s"),
        ("fixed: {step_time: 10 sec}", "10s"),
        ("fixed: {delay: 20}", "20ms"),
        ("fixed: {delay: 10m}", "10ms"),
        ("fixed: {delay: 0.02}", "20ms"),
        ("fixed: {bandwidth: 10}", "10Mbps"),
        ("grid: {bandwidth: [2500000]}", "2.5Mbps"),
        ("grid: {bandwidth: [5 Mbit/s]}", "5Mbps"),
        ("grid: {bandwidth: [10 Mbps]}", "10Mbps"),
        ("grid: {queue: [1 BDP]}", "1bdp"),
        ("grid: {queue: [0.5]}", "0.5bdp"),
        ("grid: {queue: [100]}", "100p"),
        ("grid: {queue: [100 packets]}", "100p"),
        ("grid: {queue: [64000]}", "64000B"),
        ("fixed: {device_queue: 1}", "1p"),
        ("fixed: {warmup: 25%, duration: 20s}", "5s"),
        ("fixed: {warmup: 25%}", "15s"),  # of the default, 60s
        ("fixed: {bytes: 200kb}", "200kB"),
        (FIGURE + "width: 8.5}]", "8.5cm"),
        (FIGURE + "width: 3.5}]", "3.5in"),
        (FIGURE + "width: 1in}]", "2.1in"),
        (FIGURE + "from: 5}]", "5s"),
        ("expect: goodput_bps > 3Mbit/s", "3Mbps"),
        ("expect: rtt_mean_s < 20 ms", "20ms"),
        ("expect: jain > 0.9 where duration == 60", "60s"),
        ("expect: jain > 0.9 where delay == 20", "20ms"),
    ],
)
def test_the_value_that_is_meant_is_suggested(text, meant):
    told = mistakes(text)
    assert len(told) == 1, told
    assert f"did you mean '{meant}'" in told[0], told


@pytest.mark.parametrize("scenario", schema.scenarios())
@pytest.mark.parametrize("written", [1, 20, 500])
def test_every_suggestion_is_a_value_of_a_usual_size(scenario, written):
    """A time of a run is in seconds, a path's below 1 s, and a link's rate in Mbit/s."""
    for name, about in schema.parameters(scenario).items():
        try:
            normal_forms.normal(written, about.get("format"))
        except quantity_forms.NoQuantity as error:
            said = error.said(schema.usual(about))
            if about["unit"] not in ("s", "bit/s"):
                continue
            unit = quantities.split(said.rpartition("'")[0].rpartition("'")[2])[1]
            paths = "delay" in name or name == "start_jitter"
            assert unit == ("Mbps" if about["unit"] == "bit/s" else "ms" if paths else "s"), (name, said)
        except ValueError:
            pass


def test_a_percentage_is_of_the_duration_that_is_meant():
    told = mistakes("fixed: {warmup: 25%, duration: 20}")
    assert ["did you mean '5s', 25% of the duration?" in told[0], "did you mean '20s'?" in told[1]] == [True, True]
    (told,) = mistakes("fixed: {warmup: 25%}\ngrid: {duration: [20s, 40s]}")
    assert told.endswith("such as 15s, got '25%'"), "which of both is not known"
    (told,) = mistakes("fixed: {delay: 10%}")
    assert told.endswith("such as 20ms, got '10%'"), "no time of a run"


def test_an_axis_of_one_value_is_advised_with_a_value_that_is_read():
    (told,) = mistakes("grid: {bandwidth: 10}")
    assert told.endswith("write one value under `fixed`: `bandwidth: 10Mbps`")
    (told,) = mistakes("grid: {start: 10}")
    assert told.endswith("write one value under `fixed`: `start: 10s`")
    (told,) = mistakes("grid: {delay: 10-50ms}")
    assert told.endswith("several values are a list: `delay: [10ms, 50ms]`")
    (told,) = mistakes("grid: {delay: soon}")
    assert told.endswith("write one value under `fixed`, such as `delay: 20ms`")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("bytes: 200kB", "bytes: 200000"),
        ("bytes: [1MiB, 5MB]", "bytes: [1048576, 5000000]"),
        ("bytes: 2e5", "bytes: 200000"),
        ("segment_size: 1kB", "segment_size: 1000"),
        ("cbr_packet_size: 1KiB", "cbr_packet_size: 1024"),
    ],
)
def test_sizes_carry_units_and_name_the_same_cells(written, plain):
    assert ids(f"fixed: {{{written}}}") == ids(f"fixed: {{{plain}}}")


def test_a_size_with_a_unit_has_the_same_bounds():
    (told,) = mistakes("fixed: {cbr_packet_size: 2kB}")
    assert told.endswith("expected at most 1472, got '2kB'")
    (told,) = mistakes("fixed: {bytes: 1.5B}")
    assert told.endswith("expected a whole number of bytes, got '1.5B'")


def test_expectations_read_sizes_as_the_sections_do():
    text = "grid: {bytes: [200kB, 1MB]}\nexpect: jain >= 0 where bytes == 200kB"
    sweep, problems = checked_sweep.expanded(document_of(text))
    assert problems == []
    assert sweep.expectations[0].where[0].value == 200_000
