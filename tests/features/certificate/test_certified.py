# SPDX-License-Identifier: MIT
"""The badge of the certificate: which variants are certified, in which networks they were tested, and why not."""

import dataclasses
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.words import metrics
from tcpsweep.features.certificate import certified_section
from tests.support import synthetic
from tests.support.tools import ROOT

OUTSIDE = yaml.safe_load(Path(__file__).with_name("outside.yaml").read_text())
INSIDE = {"bandwidth": ["10Mbps", "20Mbps"], "delay": ["20ms"], "queue": ["1bdp"]}
SHARES = {
    "TcpCubic": {
        "all": {
            "drop-tail queues": {"goodput_bps": (9, 10), "congestion_loss": (10, 10)},
            "active queue management": {"goodput_bps": (10, 10)},
            "random loss": {"goodput_bps": (1, 4)},
        }
    }
}


@pytest.fixture
def known(monkeypatch):
    """A certificate of networks around `INSIDE`, with `SHARES`: 4 with drop-tail queues, 4 with CoDel, 4 with loss."""
    ends = INSIDE | {"bandwidth": ["2Mbps", "100Mbps"], "queue": ["0.5bdp", "8bdp"], "corrections": ["none", "all"]}
    parts = (ends, ends | {"queue_disc": ["CoDelQueueDisc"]}, INSIDE | {"loss": [0.001, 0.02]})
    tested, among = certified_section.covered(row for part in parts for row in planned(**part).combinations)
    fields = {
        name: getattr(certified_section.certificate(), name) for name in certified_section.Certificate.__struct_fields__
    }
    fields |= {"ns3": "3.44", "ns3_libraries": planned().ns3_libraries}
    fields |= {"tested": tested, "among": among, "shares": SHARES}
    monkeypatch.setattr(certified_section, "certificate", lambda: certified_section.Certificate(**fields))


def planned(preset="linux", tcp=None, **grid):
    if tcp:
        data = {"sweep": "s", "scenario": "dumbbell", "grid": INSIDE, "repetitions": 2, "tcp": tcp}
        return dataclasses.replace(synthetic.planned(data), ns3_version="3.44")
    grid = INSIDE | {"variant": ["TcpCubic"], "corrections": ["all"]} | grid
    data = {"sweep": "s", "scenario": "dumbbell", "grid": grid, "repetitions": 2, "fixed": {"preset": preset}}
    return dataclasses.replace(synthetic.planned(data), ns3_version="3.44")


def rows(version="3.44", **given):
    return certified_section.section(dataclasses.replace(planned(**given), ns3_version=version)).rows


def test_the_certificate_that_comes_along_covers_what_its_page_says():
    known = certified_section.certificate()
    assert set(known.shares) == {"TcpLinuxReno", "TcpCubic", "TcpBbr"}
    assert {value: among["preset"] for value, among in known.among.items()} == {"none": ["linux"], "all": ["linux"]}
    for by_value in known.shares.values():
        for by_kind in by_value.values():
            for counts in by_kind.values():
                assert set(counts) <= set(metrics.METRICS)
                assert all(0 <= equivalent <= total for equivalent, total in counts.values())
    page = (ROOT / "docs" / "features" / "certificate.md").read_text()
    for value in ("none", "all"):
        counts = [pair for by in known.shares.values() for kind in by[value].values() for pair in kind.values()]
        equivalent, total = (sum(pair[place] for pair in counts) for place in (0, 1))
        assert f"{equivalent} of {total}" in page


@pytest.mark.usefixtures("known")
def test_a_variant_is_certified_by_the_comparisons_in_its_kinds_of_network_none_of_which_hides_another(monkeypatch):
    (row,) = rows()
    assert (row.sign, row.inside, row.networks) == ("✓", 2, 2)
    # Wilson's intervals of the shares are scipy's; see test_strict_counts.py.
    assert row.words == "19 of 20 comparisons in 4 tested networks are equivalent (95 %: 76 to 99 %)"
    (row,) = rows(loss=[0.01])
    words = "1 of 4 comparisons in 4 tested networks are equivalent (95 %: 5 to 70 %)"
    assert (row.sign, row.words) == ("✗", words)
    (row,) = rows(loss=[0, 0.01])
    assert row.counts == {"goodput_bps": (10, 14), "congestion_loss": (10, 10)}
    mostly = {"drop-tail queues": {"goodput_bps": (97, 97)}, "random loss": {"goodput_bps": (1, 3)}}
    monkeypatch.setitem(SHARES["TcpCubic"], "all", mostly)
    (row,) = rows(loss=[0, 0.01])
    words = "98 of 100 comparisons in 7 tested networks are equivalent (95 %: 93 to 99 %); 1 of 3 with random loss"
    assert (row.sign, row.words) == ("✗", words)


@pytest.mark.usefixtures("known")
def test_a_variant_without_a_comparison_is_not_certified_and_networks_without_it_are_not_counted(monkeypatch):
    monkeypatch.setitem(SHARES["TcpCubic"], "all", {"drop-tail queues": {"goodput_bps": (0, 0)}})
    certified = certified_section.section(planned())
    words = "no metric could be compared in these network conditions"
    assert [(row.sign, row.words, row.compared) for row in certified.rows] == [("–", words, 0)]
    assert certified.names == []
    kinds = {"drop-tail queues": {"goodput_bps": (3, 3), "jain": (2, 2)}, "random loss": {"goodput_bps": (0, 0)}}
    monkeypatch.setitem(SHARES["TcpCubic"], "all", kinds)
    assert certified_section.section(planned()).names == ["CUBIC in 3 networks"]
    (row,) = rows(loss=[0, 0.01])
    words = "5 of 5 comparisons in 3 tested networks are equivalent (95 %: 57 to 100 %); 0 of 0 with random loss"
    assert (row.sign, row.words) == ("✗", words)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({}, ["CUBIC in 4 networks"]),
        ({"corrections": ["none", "all"]}, ["CUBIC (all) in 4 networks"]),
        ({"queue": ["1bdp", "16bdp"]}, ["CUBIC in 4 networks (for 2 of 4 here)"]),
        ({"loss": [0.01]}, []),
    ],
)
def test_the_first_line_names_certified_variants_and_in_how_many_networks_they_were_tested(given, names):
    assert certified_section.section(planned(**given)).names == names


@pytest.mark.usefixtures("known")
def test_a_network_counts_as_tested_only_if_it_was_not_if_it_lies_between_others():
    ends = {"bandwidth": ["2Mbps"], "queue": ["0.5bdp"]}
    assert [row.tested for row in (*rows(), *rows(**ends), *rows(duration=["1h"], **ends))] == [0, 1, 1]
    assert rows(queue_disc=["CoDelQueueDisc"], **ends)[0].tested == 1


def test_the_certificate_that_comes_along_covers_each_of_its_networks_with_todays_parameters():
    published = certified_section.certificate()
    for networks in published.tested.values():
        for network in networks:
            (row,) = rows(**{name: [yaml.safe_load(text)] for name, text in network.items()})
            assert (row.tested, row.outside) == (1, {})


def test_the_certificates_page_says_if_corrections_have_changed_since():
    page = (ROOT / "docs" / "features" / "certificate.md").read_text()
    published = certified_section.certificate()
    assert published.tcpsweep.partition("+g")[2][:8] in page
    has_changed = published.corrections != certified_section.cpp_code.corrections_id()
    assert ("have changed since" in page) == has_changed


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("case", OUTSIDE)
def test_what_the_certificate_does_not_cover_is_named(case):
    row = rows(**case["given"])[-1]
    assert row.outside == case["outside"]
    assert row.inside < row.networks


@pytest.mark.usefixtures("known")
def test_a_variant_or_corrections_that_were_not_compared_are_not_certified():
    assert rows(variant=["TcpVegas"])[0].words == "not compared with Linux"
    assert rows(corrections=["prr"])[0].words == "not compared with `corrections: prr`"
    assert {row.sign for row in rows(variant=["TcpVegas"], corrections=["prr", "all"])} == {"–"}


@pytest.mark.usefixtures("known")
def test_tcp_as_it_runs_today_is_certified_like_all_corrections_and_ns3_alone_is_not():
    (corrected,) = rows(tcp="corrected")
    (written_out,) = rows()
    assert corrected == written_out and corrected.sign == "✓"
    (alone,) = rows(tcp="ns-3")
    assert (alone.sign, alone.words) == ("–", "not compared with `corrections: none`")


@pytest.mark.usefixtures("known")
def test_corrections_and_a_build_of_ns3_that_are_not_the_certificates_are_named(monkeypatch):
    monkeypatch.setattr(
        certified_section.cpp_code, "corrections_id", lambda: certified_section.certificate().corrections
    )
    found = certified_section.section(planned())
    assert not found.is_earlier and not found.is_another_build
    monkeypatch.setattr(certified_section.cpp_code, "corrections_id", lambda: "another")
    assert certified_section.section(planned()).is_earlier
    assert certified_section.section(dataclasses.replace(planned(), ns3_libraries="another")).is_another_build


@pytest.mark.usefixtures("known")
def test_a_setting_is_covered_only_with_the_corrections_it_was_compared_with():
    # The preset sets it where no correction replaces recovery.
    classic = {"ns3::TcpL4Protocol::RecoveryType": ["ns3::TcpClassicRecovery"]}
    outside = {row.corrections: row.outside for row in rows(corrections=["none", "all"], **classic)}
    assert outside == {"none": {}, "all": classic}


def test_a_sweep_without_ns3s_tcp_has_no_badge():
    data = {"sweep": "s", "scenario": "dumbbell", "fixed": {"variant": "TcpCubic", "stack": "linux"}, "repetitions": 2}
    assert certified_section.section(dataclasses.replace(synthetic.planned(data), ns3_version="3.44")) is None
