# SPDX-License-Identifier: MIT
"""The known defects of ns-3 that affect a combination: by variant, version, condition and correction."""

import pytest

from tcpsweep.core.sweepfile.keys import network_fields, schema
from tcpsweep.core.words import metrics
from tcpsweep.features.corrections import correction_names, defect_conditions, defects_file
from tests.support.sweep_texts import sweep_of

KNOWN = {each.name: each for each in defects_file.defects()}
THREE = "prr+rate_sample+window_after_recovery"


def names(text, version="3.44", scenario="dumbbell"):
    rows = sweep_of(text, scenario).combinations
    found = defect_conditions.by_combination(KNOWN.values(), rows, version)
    return [{each.name for each in defects} for defects in found]


def one(variant="TcpCubic", more="", version="3.44", corrected=THREE):
    preset = "" if "preset: " in more else ", preset: none"
    (found,) = names(f"corrections: {corrected}\nfixed: {{variant: {variant}{preset}{more}}}\n", version)
    return found


def of_tcp(tcp, variant, more=""):
    (found,) = names(f"{tcp}\nfixed: {{variant: {variant}{more}}}\n")
    return found


@pytest.mark.parametrize("variant", ["TcpCubic", "TcpBbr", "TcpCubic+TcpBbr"])
def test_cubic_and_bbr_have_no_defects_by_default(variant):
    assert of_tcp("", variant, ", bandwidth: 5Mbps") == of_tcp("tcp: corrected", variant, ", loss: 1%") == set()
    assert of_tcp("tcp: ns-3", variant, ", bandwidth: 5Mbps")


def test_a_correction_in_force_takes_its_defects_away():
    assert {"PRR counts twice", "PRR overflows"} <= one(corrected="none")
    assert not {"PRR counts twice", "PRR overflows"} & one()
    assert "BBR's stale rate sample" in one("TcpBbr", corrected="none")
    assert "BBR's stale rate sample" in one("TcpBbr", corrected="prr")
    assert "BBR's stale rate sample" not in one("TcpBbr", corrected="rate_sample")


def test_a_defect_is_of_its_variants_and_of_mixes_with_them():
    assert "NewReno opens half as fast" in one("TcpNewReno")
    assert "NewReno opens half as fast" not in one("TcpLinuxReno")
    assert "BBR's timeouts" in one("TcpLinuxReno+TcpBbr")
    assert "CUBIC's share next to BBR" in one("TcpCubic+TcpBbr")
    assert "CUBIC's share next to BBR" not in one("TcpCubic") | one("TcpBbr")
    assert "PRR counts twice" not in one("TcpBbr", corrected="none")


# At 10 Mbit/s and 20 ms, 1 BDP of the bottleneck's delay alone is 50 kB, 33 packets of 1502 B.
@pytest.mark.parametrize(
    ("more", "may_lose"),
    [
        (", bytes: 1", False),  # two flows of four packets each
        (", bytes: 1, queue: 15p", True),
        (", bytes: 5kB", False),  # two of four segments and three other packets each, twice, are 28
        (", bytes: 100kB", True),
        (", bytes: 1, loss: 1%", True),
        (", bytes: 1, flows: 20", True),
        (", bytes: 1, cbr_flows: 1", True),
        (", bytes: [1, 0]", True),
        ("", True),
    ],
)
def test_defects_after_losses_touch_only_runs_in_which_packets_may_be_lost(more, may_lose):
    assert ("BBR's timeouts" in one("TcpBbr", more)) == may_lose
    assert ("PRR counts twice" in one("TcpCubic", more, corrected="none")) == may_lose
    assert ("BBR overlooks ACKs that arrive together" in one("TcpBbr", more)) is True


def test_linux_has_none_of_them():
    assert one("linux:cubic") == set() == one("TcpCubic", ", stack: linux, loss: 1%")
    assert "BBR's timeouts" not in one("TcpLinuxReno+linux:bbr")


def test_a_defect_ends_with_the_version_that_mends_it():
    assert "LEDBAT's window" in one("TcpLedbat", version="3.46")
    assert "LEDBAT's window" not in one("TcpLedbat", version="3.47")
    assert "LEDBAT's window" not in one("TcpLedbat", version="3-dev")
    assert "BBR's least round trip" in one("TcpBbr", version="3.42")
    assert "BBR's least round trip" not in one("TcpBbr", version="3.44")
    assert "BBR's stale rate sample" not in one("TcpBbr", version="3.37", corrected="none")
    assert "BBR's stale rate sample" in one("TcpBbr", version="3-dev", corrected="none")


def test_conditions_are_met_by_parameters_attributes_and_presets():
    assert "lost retransmissions" in one(more=", loss: 0.1%")
    assert "a timeout takes 1 s" in one(more=", bytes: 30kB")
    assert "a timeout takes 1 s" not in one()  # nothing is to be finished
    assert "a timeout takes 1 s" not in one(more=", bytes: 30kB, preset: linux")
    assert "PRR counts twice" not in one(more=", preset: linux", corrected="none")  # it then has classic recovery
    assert "round trips in milliseconds" in one("TcpBbr", ", delay: 100us")
    assert "round trips in milliseconds" not in one("TcpBbr", ", delay: 1ms")
    each_segment = "fixed: {variant: TcpNewReno}\nattributes: {ns3::TcpSocket::DelAckCount: 1}\n"
    assert "NewReno opens half as fast" not in names(each_segment)[0]


def test_timeouts_of_bbr_are_a_matter_of_small_buffers():
    assert "BBR's timeouts" in one("TcpBbr", ", queue: 1bdp") & one("TcpBbr", ", queue: 2bdp")
    assert "BBR's timeouts" not in one("TcpBbr", ", queue: 2.5bdp")
    assert "BBR's timeouts" in one("TcpBbr", ", queue: 30p")  # its size in bandwidth-delay products is not known here


def test_one_link_of_a_described_network_is_enough():
    text = "tcp: ns-3\nnetwork:\n  links:\n"
    text += "    first: {between: [a, b], bandwidth: 4Mbps, delay: 10ms}\n"
    text += "    second: {between: [b, c], bandwidth: 6Mbps, delay: 10ms%s}\n"
    text += "  flows:\n    f: {from: a, to: c, variant: TcpCubic}\nfixed: {duration: 10s}\n"
    assert "lost retransmissions" not in names(text % "", scenario="network")[0]
    assert "lost retransmissions" in names(text % ", loss: 1%", scenario="network")[0]
    assert "lost retransmissions" in names(text % ", back: {loss: 1%}", scenario="network")[0]
    assert "reordering taken for loss" not in names(text % "", scenario="network")[0]
    assert "reordering taken for loss" in names(text % ", reorder: 1%, reorder_by: 5ms", scenario="network")[0]


def test_axes_have_a_different_answer_for_each_combination():
    told = names("grid: {tcp: [ns-3, corrected], variant: [TcpCubic, TcpBbr]}\n")
    assert ["PRR counts twice" in each for each in told] == [True, False, False, False]
    assert ["BBR's stale rate sample" in each for each in told] == [False, True, False, False]


@pytest.mark.parametrize("defect", KNOWN.values(), ids=KNOWN)
def test_an_entry_names_what_there_is(defect):
    assert len(defect.name) <= 40
    assert all(name in metrics.METRICS or name in metrics.FAMILIES for name in defect.metrics)
    assert defect.correction is None or defect.correction in correction_names.CORRECTIONS
    assert bool(defect.shown_by) != bool(defect.not_shown)
    known = {name for kind in network_fields.KINDS for name in network_fields.fields(kind)}
    known |= {defect_conditions.TRANSFERS, defect_conditions.LOSSES, *schema.parameters("dumbbell")}
    assert all("::" in name or name in known for name in defect.when)


def test_a_link_without_a_loss_has_none_and_a_presets_own_values_do_not_count_where_its_links_have_others():
    def of(link):
        links = f"links: {{l: {{between: [a, b], bandwidth: 10Mbps, delay: 10ms{link}}}}}"
        described = f"{{{links}, flows: {{f: {{from: a, to: b, variant: TcpLinuxReno}}}}}}"
        return names(f"tcp: ns-3\nnetwork: {described}\n", scenario="network")[0]

    assert {"timeouts in full buffers", "LinuxReno's window after a recovery"} <= of("")
    assert "lost retransmissions" in of(", loss: 1%")
    assert "timeouts in full buffers" not in of(", loss: 1%") | of(", queue: 1bdp, queue_disc: codel")
    hop = "tcp: ns-3\nfixed: {variant: TcpLinuxReno}\nnetwork: {links: {hop: {loss: 1%}}}\n"
    (overridden,) = names(hop, scenario="parking-lot")
    assert "lost retransmissions" in overridden
    assert "timeouts in full buffers" not in overridden
