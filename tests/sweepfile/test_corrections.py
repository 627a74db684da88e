# SPDX-License-Identifier: MIT
"""A sweep file's `corrections`: names, versions of ns-3, and simulations that they do not affect."""

import pytest

from tcpsweep.ns3.engine import Engine
from tcpsweep.sweepfile.keys import schema
from tcpsweep.words import corrections
from tests.support.sweep_texts import NS3, cells, expanded, ids, mistakes, sweep_of

OLD = Engine(None, "3.37", NS3.libraries_id)
RECOVERY = "ns3::TcpL4Protocol::RecoveryType"
BBR = "rate_sample,window_after_recovery"  # the corrections of BBR


def asked(text, ns3=NS3):
    """The option of each simulation; None where it has none."""
    said = [[each for each in cell.arguments if each.startswith("--corrections=")] for cell in cells(text, ns3=ns3)]
    return list(dict.fromkeys(options[0].partition("=")[2] if options else None for options in said))


@pytest.mark.parametrize(
    ("variant", "options"),
    [("TcpCubic", ["prr"]), ("TcpBbr", [BBR]), ("TcpCubic+TcpBbr", [f"prr,{BBR}"])],
)
def test_a_simulation_has_the_corrections_that_make_a_difference_to_it(variant, options):
    assert asked(f"corrections: default\nfixed: {{variant: {variant}}}") == options


def test_simulations_without_ns3s_tcp_have_none():
    assert asked("corrections: default\nfixed: {variant: linux:cubic}") == [None]
    assert asked("corrections: default\nfixed: {variant: TcpCubic, stack: linux}") == [None]


def test_none_is_ns3_as_it_is():
    assert asked("corrections: none\nfixed: {variant: TcpCubic+TcpBbr}") == [None]


def test_a_correction_that_makes_no_difference_leaves_a_simulation_the_same():
    assert ids("corrections: rate_sample") == ids("corrections: none")
    assert set(ids("corrections: prr")).isdisjoint(ids("corrections: none"))
    classic = f'\nattributes: {{{RECOVERY}: "ns3::TcpClassicRecovery"}}'
    assert ids(f"corrections: prr{classic}") == ids(f"corrections: none{classic}")


@pytest.mark.parametrize("name", ["dsack", "f_rto", "undo"])
def test_some_corrections_make_a_difference_only_with_rack(name):
    assert set(ids(f"corrections: rack_tlp+{name}")).isdisjoint(ids("corrections: rack_tlp"))
    no_sack = '\nattributes: {"ns3::TcpSocketBase::Sack": false}'
    assert ids(f"corrections: rack_tlp+{name}{no_sack}") == ids(f"corrections: none{no_sack}")


def test_only_the_bbr_of_linux_can_undo():
    bbr = "\nfixed: {variant: TcpBbr}"
    assert ids(f"corrections: rack_tlp+undo{bbr}") == ids(f"corrections: rack_tlp{bbr}")
    assert set(ids(f"corrections: bbr+rack_tlp+undo{bbr}")).isdisjoint(ids(f"corrections: bbr+rack_tlp{bbr}"))


def test_an_older_ns3_needs_fewer():
    assert asked("corrections: default\nfixed: {variant: TcpCubic+TcpBbr}", OLD) == ["prr,window_after_recovery"]
    assert corrections.in_version("default", "3.48") == ["prr", *BBR.split(",")]
    assert corrections.in_version("default", "3.49") == BBR.split(",")
    assert corrections.in_version("default", "3-dev") == BBR.split(",")


def test_corrections_can_be_an_axis_and_a_condition():
    text = "grid: {corrections: [none, prr, default], variant: [TcpCubic, TcpBbr]}\n"
    text += "exclude: {corrections: prr, variant: TcpBbr}"
    found = [(row["corrections"], row["variant"]) for row in sweep_of(text).combinations]
    assert found == [
        ("none", "TcpCubic"),
        ("none", "TcpBbr"),
        ("prr", "TcpCubic"),
        ("default", "TcpCubic"),
        ("default", "TcpBbr"),
    ]


def test_names_have_one_order():
    (row,) = sweep_of("corrections: [rate_sample, prr]").combinations
    assert row["corrections"] == "prr+rate_sample"
    assert ids("corrections: [rate_sample, prr]") == ids("corrections: prr+rate_sample")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "corrections: ppr",
            "my.yaml:3:14: corrections: expected default, all, none, or some of bbr, cubic, dsack, f_rto, prr, "
            "quick_ack, rack_tlp, rate_sample, receive_window, recovery_exit, reno, sack_compression, syn_timeouts, "
            "undo, window_after_recovery; "
            "got 'ppr'; did you mean 'prr'?",
        ),
        (
            "corrections: [prr, rate_samples]",
            "my.yaml:3:20: corrections[1]: 'rate_samples' is unknown here; did you mean 'rate_sample'?",
        ),
        (
            "grid: {corrections: [none, default+prr]}",
            "my.yaml:3:28: grid.corrections[1]: default cannot be combined with other corrections",
        ),
        (
            "corrections: [prr, undo]",
            "my.yaml:3:14: corrections: undo has no effect without rack_tlp: write prr+rack_tlp+undo",
        ),
        (
            "grid: {corrections: [none, dsack+f_rto]}",
            "my.yaml:3:28: grid.corrections[1]: dsack has no effect without rack_tlp: write dsack+f_rto+rack_tlp",
        ),
    ],
)
def test_a_wrong_name_is_told_with_what_was_meant(text, told):
    assert mistakes(text) == [told]


def test_corrections_have_one_home():
    _, problems = expanded("corrections: none\ngrid: {corrections: [none, prr]}")
    assert [problem.message for problem in problems] == [
        "corrections is set twice, here and in corrections; remove one"
    ]


def test_the_presets_way_around_ns3s_recovery_follows_the_correction():
    with_prr, without = (
        [row.get(RECOVERY) for row in sweep_of(f"corrections: {each}\nfixed: {{preset: linux}}").combinations]
        for each in ("prr", "none")
    )
    assert (with_prr, without) == ([None], ["ns3::TcpClassicRecovery"])


def test_the_schema_has_the_names():
    branch = schema.raw()["properties"]["corrections"]["then"]
    assert branch["items"]["enum"] == list(corrections.CORRECTIONS)
