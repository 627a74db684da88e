# SPDX-License-Identifier: MIT
"""A sweep file's `corrections`: names, versions of ns-3, and simulations that they do not affect."""

import pytest

from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.sweep import axes
from tcpsweep.features.corrections import correction_names
from tests.support import synthetic
from tests.support.sweep_texts import NS3, cells, ids, sweep_of

OLD = Engine(None, "3.37", NS3.libraries_id)
RECOVERY = "ns3::TcpL4Protocol::RecoveryType"
BBR = "rate_sample,window_after_recovery"  # the first corrections of BBR
THREE = f"corrections: [prr, {BBR}]"


def asked(text, ns3=NS3):
    """The option of each simulation; None where it has none."""
    said = [[each for each in cell.arguments if each.startswith("--corrections=")] for cell in cells(text, ns3=ns3)]
    return list(dict.fromkeys(options[0].partition("=")[2] if options else None for options in said))


@pytest.mark.parametrize(
    ("fixed", "option"),
    [
        ("variant: TcpCubic", "prr"),
        ("variant: TcpBbr", BBR),
        ("variant: TcpCubic+TcpBbr", f"prr,{BBR}"),
        ("variant: linux:cubic", None),  # not ns-3's TCP
        ("variant: TcpCubic, stack: linux", None),
    ],
)
def test_a_simulation_has_the_corrections_that_make_a_difference_to_it(fixed, option):
    assert asked(f"{THREE}\nfixed: {{preset: none, {fixed}}}") == [option]
    assert asked(f"corrections: none\nfixed: {{preset: none, {fixed}}}") == [None]
    assert asked(f"tcp: ns-3\nfixed: {{{fixed}}}") == [None]


def test_an_older_ns3_needs_fewer():
    mix = "fixed: {preset: none, variant: TcpCubic+TcpBbr}"
    assert asked(f"{THREE}\n{mix}", OLD) == ["prr,window_after_recovery"]
    three, rest = f"prr+{BBR}".replace(",", "+"), [name for name in correction_names.CORRECTIONS if name != "prr"]
    assert correction_names.in_version(three, "3.48") == ["prr", *BBR.split(",")]
    assert correction_names.in_version(three, "3.49") == BBR.split(",")
    assert correction_names.in_version(three, "3-dev") == BBR.split(",")
    assert correction_names.in_version("all", "3.48") == list(correction_names.CORRECTIONS)
    assert correction_names.in_version("all", "3.49") == correction_names.in_version("all", "3-dev") == rest


def test_names_have_one_order():
    (row,) = sweep_of("corrections: [rate_sample, prr]\nfixed: {preset: none}").combinations
    assert row["corrections"] == "prr+rate_sample"


def test_the_presets_way_around_ns3s_recovery_follows_the_correction():
    with_prr, without = (
        [row.get(RECOVERY) for row in sweep_of(f"corrections: {each}\nfixed: {{preset: linux}}").combinations]
        for each in ("prr", "none")
    )
    assert (with_prr, without) == ([None], ["ns3::TcpClassicRecovery"])


def tcp_of(text):
    """The key `tcp`, the corrections, the preset and the minimum timeout of each combination."""
    names = ("tcp", "corrections", "preset", "ns3::TcpSocketBase::MinRto")
    return [tuple(row.get(name) for name in names) for row in sweep_of(text).combinations]


LINUX = ("corrected", "all", "linux", "200ms")
OF_NS3 = ("ns-3", "none", "none", None)


def test_the_default_is_all_corrections_with_linux_settings():
    assert tcp_of("") == tcp_of("tcp: corrected") == tcp_of("fixed: {tcp: corrected}") == [LINUX]
    assert ids("") == ids("tcp: corrected") == ids("corrections: all\nfixed: {preset: linux}")
    every = [name for name in correction_names.CORRECTIONS if name != "reno"]
    assert asked("fixed: {variant: TcpCubic+TcpBbr}") == [",".join(every)]
    assert asked("fixed: {variant: TcpCubic+TcpBbr+TcpLinuxReno, flows: 3}") == [",".join(correction_names.CORRECTIONS)]


def test_ns3_alone_has_neither_corrections_nor_a_preset():
    assert tcp_of("tcp: ns-3") == tcp_of("fixed: {tcp: ns-3}") == [OF_NS3]
    assert ids("tcp: ns-3") == ids("corrections: none\nfixed: {preset: none}")
    (row,) = sweep_of("tcp: ns-3").combinations
    assert not [name for name in row if name.startswith("ns3::")]


def test_a_preset_of_the_files_own_takes_the_place_of_that_of_tcp():
    assert tcp_of("fixed: {preset: datacentre}") == [("corrected", "all", "datacentre", "5ms")]
    assert tcp_of("tcp: ns-3\nfixed: {preset: linux}") == [("ns-3", "none", "linux", "200ms")]
    assert tcp_of("fixed: {preset: none}") == [("corrected", "all", "none", None)]


def test_listed_corrections_are_neither_value_of_tcp():
    assert tcp_of("corrections: [prr]\nfixed: {preset: linux}") == [("listed", "prr", "linux", "200ms")]


def test_tcp_is_an_axis_of_the_simulator_and_no_network_condition():
    text = "grid: {tcp: [ns-3, corrected], delay: [10ms, 20ms]}"
    assert tcp_of(text) == [OF_NS3, OF_NS3, LINUX, LINUX]
    swept = sweep_of(text)
    sweep = synthetic.record(axes=swept.axes, combinations=swept.combinations)
    assert axes.simulator_texts(sweep) == ["tcp ns-3", "tcp ns-3", "tcp corrected", "tcp corrected"]
