# SPDX-License-Identifier: MIT
"""Values of attributes as ns-3 itself reads them."""

import pytest

from tcpsweep.ns3 import catalogue, engine
from tests.support.sweep_texts import in_ns3

CWND, MIN_RTO, BETA = "ns3::TcpSocket::InitialCwnd", "ns3::TcpSocketBase::MinRto", "ns3::TcpCubic::Beta"
PACING, RECOVERY = "ns3::TcpSocketState::MaxPacingRate", "ns3::TcpL4Protocol::RecoveryType"

pytestmark = pytest.mark.usefixtures("build_folder")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'attributes: {{"{CWND}": ""}}', f"3:45: attributes.{CWND}: ns-3 3.44 does not take '' here"),
        (f'attributes: {{"{MIN_RTO}": ""}}', "such as its default '+1e+09ns'"),
        (f'attributes: {{"{RECOVERY}": ""}}', "such as its default 'ns3::TcpPrrRecovery'"),
        (
            f'attributes: {{"{MIN_RTO}": -5s}}',
            "expected a time of at least 0s, such as its default '+1e+09ns', got '-5s'",
        ),
        (
            f'grid: {{"{CWND}": [10, "010"]}}',
            f"ns-3 reads '010' like 10 at grid.{CWND}[0]: write 10 here too",
        ),
        (f'grid: [{{"{CWND}": [10]}}, {{"{CWND}": [5, "+10"]}}]', f"reads '+10' like 10 at grid[0].{CWND}[0]"),
        (f'zip: {{"{MIN_RTO}": [1s, "+1s"], delay: [1ms, 2ms]}}', "write '1s' here too"),
        (f'attributes: {{"{PACING}": [5Mbps, 5000000]}}', "write '5Mbps' here too"),
    ],
)
def test_what_ns3_would_take_for_zero_or_for_another_value_is_refused(text, words):
    (line,) = in_ns3(text)
    assert words in line


def test_values_that_differ_less_than_ns3_writes_are_different():
    assert (
        in_ns3(f'grid: {{"{MIN_RTO}": [1s, 1.0000001s], "{BETA}": [0.7, 0.70000001], "{PACING}": [5Mbps, 5000001bps]}}')
        == []
    )


def test_a_value_may_stand_again_in_another_block():
    assert in_ns3(f'grid: [{{"{CWND}": [10]}}, {{"{CWND}": [10, 20]}}]') == []


def test_a_random_variable_has_no_text_to_compare():
    settings = [
        ("ns3::OnOffApplication::OnTime", "ns3::ConstantRandomVariable[Constant=1]"),
        (CWND, "010"),
        (CWND, "x"),
    ]
    assert catalogue.try_attributes(engine.find(), settings) == [(True, None), (True, "10"), (False, None)]


def test_ranges_of_real_numbers_have_ends_that_say_so():
    where = "where: goodput_bps of TcpBbr - TcpCubic changes sign"
    refine = 'refine: {{axis: "{}", between: {}, ' + where + "}}"
    (line,) = in_ns3(refine.format("ns3::TcpBbr::HighGain", "1 and 4"))
    assert "refine.between: between whole numbers all values would be whole" in line
    assert "write '1.0 and 4.0'" in line
    assert in_ns3(refine.format("ns3::TcpBbr::HighGain", "1.0 and 4")) == []
    assert in_ns3(refine.format(CWND, "1 and 40")) == []
