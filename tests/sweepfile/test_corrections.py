# SPDX-License-Identifier: MIT
"""A sweep file's `corrections`: names, versions of ns-3, and simulations that they do not affect."""

import pytest

from tcpsweep.ns3.engine import Engine
from tcpsweep.sweepfile.keys import schema
from tcpsweep.words import corrections
from tests.support.sweep_texts import NS3, cells, sweep_of

OLD = Engine(None, "3.37", NS3.libraries_id)
RECOVERY = "ns3::TcpL4Protocol::RecoveryType"
BBR = "rate_sample,window_after_recovery"  # the corrections of BBR


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
    assert asked(f"corrections: default\nfixed: {{{fixed}}}") == [option]
    assert asked(f"corrections: none\nfixed: {{{fixed}}}") == [None]


def test_an_older_ns3_needs_fewer():
    assert asked("corrections: default\nfixed: {variant: TcpCubic+TcpBbr}", OLD) == ["prr,window_after_recovery"]
    assert corrections.in_version("default", "3.48") == ["prr", *BBR.split(",")]
    assert corrections.in_version("default", "3.49") == BBR.split(",")
    assert corrections.in_version("default", "3-dev") == BBR.split(",")


def test_names_have_one_order():
    (row,) = sweep_of("corrections: [rate_sample, prr]").combinations
    assert row["corrections"] == "prr+rate_sample"


def test_the_presets_way_around_ns3s_recovery_follows_the_correction():
    with_prr, without = (
        [row.get(RECOVERY) for row in sweep_of(f"corrections: {each}\nfixed: {{preset: linux}}").combinations]
        for each in ("prr", "none")
    )
    assert (with_prr, without) == ([None], ["ns3::TcpClassicRecovery"])


def test_the_schema_has_the_names():
    branch = schema.raw()["properties"]["corrections"]["then"]
    assert branch["items"]["enum"] == list(corrections.CORRECTIONS)
