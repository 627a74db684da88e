# SPDX-License-Identifier: MIT
"""Presets: the values that they set, values that override them, and their effect in real ns-3."""

import pytest

from tcpsweep.core.ns3 import engine
from tcpsweep.core.sweepfile.checks import clashes, ns3_check
from tcpsweep.core.sweepfile.keys import presets, schema
from tests.support.sweep_texts import cells, document_of, sweep_of

MIN_RTO = "ns3::TcpSocketBase::MinRto"


def test_a_preset_sets_what_the_file_leaves_open_and_the_file_wins():
    (row,) = sweep_of(f"fixed: {{preset: linux}}\nattributes: {{{MIN_RTO}: 0.3s}}").combinations
    assert row[MIN_RTO] == "300ms"
    assert row["ns3::TcpSocket::DelAckTimeout"] == "40ms"
    assert row["ns3::TcpSocketBase::Sack"] == "true"
    assert not any(name.startswith("ns3::") for name in sweep_of("fixed: {preset: none}").combinations[0])


def test_a_data_centre_is_like_linux_but_for_its_own():
    linux, centre = (presets.preset(name).settings for name in ("linux", "datacentre"))
    assert set(linux) == set(centre)
    differ = {name.rpartition("::")[2]: value.value for name, value in centre.items() if value != linux[name]}
    assert differ == {
        **{"MinRto": "5ms", "ClockGranularity": "5ms", "DelAckTimeout": "4ms", "Timestamp": "false"},
        **{"ConnTimeout": "10ms", "ConnCount": "13", "RecoveryType": "ns3::TcpPrrRecovery"},
    }
    # 10 ms, doubled for each of the retries, against 1 s doubled for Linux' 6.
    assert 0.01 * (2**14 - 1) > 2**7 - 1


def test_the_schema_has_the_presets_that_the_parameter_takes():
    for scenario in schema.scenarios():
        assert schema.parameters(scenario)["preset"]["enum"] == ["auto", "none", *presets.preset_names()]


def test_a_cell_of_a_preset_is_the_cell_of_the_same_attributes_written_out():
    settings = presets.preset("linux").settings.items()
    written = {name: setting.value for name, setting in settings if setting.unless != "prr"}
    lines = "\n".join(f'  {name}: "{value}"' for name, value in written.items())
    of_none = "fixed: {preset: none}"
    assert [(cell.id, sorted(cell.arguments)) for cell in cells(f"{of_none}\nattributes:\n{lines}")] == [
        (cell.id, sorted(cell.arguments)) for cell in cells("fixed: {preset: linux}")
    ]
    assert {cell.id for cell in cells("fixed: {preset: linux}")}.isdisjoint(cell.id for cell in cells(of_none))
    assert not [each for cell in cells("fixed: {preset: linux}") for each in cell.arguments if "preset" in each]


def test_a_presets_attributes_are_checked_as_if_they_were_written(build_folder, monkeypatch):
    ns3 = engine.find()
    for name in presets.preset_names():
        assert ns3_check.problems(document_of(f"fixed: {{preset: {name}}}").data, ns3) == []
    about = schema.raw()["presets"]["linux"]["settings"]
    presets.preset.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(about, "ns3::TcpSocket::InitialCwmd", {"value": 3, "source": "none"})
        patch.setitem(about, MIN_RTO, {"value": "soon", "source": "none"})
        document = document_of("fixed: {preset: linux}")
        told = str(document.mistakes(ns3_check.problems(document.data, ns3)))
    presets.preset.cache_clear()
    assert (
        "my.yaml:3:17: fixed.preset: the preset sets ns3::TcpSocketBase::MinRto: ns-3 3.44 does not take 'soon'" in told
    )
    assert "the preset sets ns3::TcpSocket::InitialCwmd: " in told and "did you mean 'InitialCwnd'?" in told


STALLED = "fixed: {tcp: ns-3, variant: TcpNewReno, flows: 1, duration: 5s, warmup: 1s, start_jitter: 0s, queue: 10p, "
STALLED += "step_time: 2s, step_bandwidth: 1bps, preset: "


def test_a_timeout_comes_when_linux_has_it(simulated, dumbbell):
    """Where nothing arrives any more, the first timeout is an RTO after the last new ACK (RFC 6298, 5.3)."""
    waited = {}
    for preset in ("none", "linux", "datacentre"):
        cell = simulated(dumbbell, *cells(STALLED + preset + "}")[0].arguments, name=preset)
        timeout = cell.trace("timeouts", 0)[0][0]
        smoothed = [value for _, value in cell.trace("srtt_s", 0)][-1]
        waited[preset] = timeout - cell.trace("acked_bytes", 0)[-1][0], smoothed
    # ns-3 waits a second or more. Linux' RTO is SRTT + max(minimum, 4 RTTVAR): more than the minimum by a round trip.
    assert waited["none"][0] == pytest.approx(1, abs=0.01)
    assert 0.2 < waited["linux"][1] + 0.2 == pytest.approx(waited["linux"][0], abs=0.01)
    # To ns-3's nanosecond.
    assert waited["datacentre"][1] + 0.005 - 1e-9 <= waited["datacentre"][0] < 0.2


SHORT = "fixed: {variant: TcpNewReno, bandwidth: 1Gbps, access_bandwidth: 10Gbps, delay: 100us, access_delay: 20us, "
SHORT += "tcp: ns-3, flows: 1, duration: 100ms, warmup: 0s, start_jitter: 0s, packet_jitter: 0, queue: 20p, preset: "


@pytest.mark.parametrize(("variant", "stack", "is_warned"), [
    ("TcpCubic", "ns-3", True), ("TcpCubic+linux:cubic", "ns-3", True),
    ("TcpCubic", "linux", False), ("linux:cubic", "ns-3", False),
])  # fmt: skip
def test_the_warning_about_short_round_trips_is_about_ns3s_tcp(variant, stack, is_warned):
    text = f"grid: {{variant: ['{variant}'], stack: [{stack}]}}\nfixed: {{delay: 2ms}}"
    said = [line for row in sweep_of(text).combinations for line in clashes.warnings(row)]
    assert any("is short for ns-3's TCP" in line for line in said) == is_warned


def test_short_round_trips_are_measured_as_they_are(simulated, dumbbell):
    found = {}
    for preset in ("none", "datacentre"):
        cell = simulated(dumbbell, *cells(SHORT + preset + "}")[0].arguments, name=preset)
        found[preset] = [value for _, value in cell.trace("rtt_s", 0)]
    base = cell.record["derived"]["base_rtt_s"][0]
    assert base == pytest.approx(280e-6)
    # Of whole milliseconds, and 1 us for none.
    assert {round(value * 1e6) for value in found["none"]} <= {1, *range(1000, 100_000, 1000)}
    assert min(found["none"]) < base / 100
    # The base round trip, and up to 20 packets of 12 us before it.
    assert len(found["datacentre"]) > 10
    assert base <= min(found["datacentre"]) <= max(found["datacentre"][1:]) < 1.1e-3
