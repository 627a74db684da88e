# SPDX-License-Identifier: MIT
"""`pairs` and its combinations."""

import itertools

from tcpsweep.core.sweepfile.combinations import limits
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.pairs import pair_record
from tests.support import networks
from tests.support.sweep_texts import sweep_of

NETWORK = """\
sweep: s
pairs: [TcpCubic, TcpBbr]
scenario: network
network:
  links: {a-b: {between: [a, b], bandwidth: 5Mbps, delay: 10ms, queue: 1bdp}}
  flows: {x: {from: a, to: b}, y: {from: a, to: b}}
"""


def variants(rows):
    return [(row["variant"], row["delay"], row["flows"]) for row in rows]


def test_pairs_are_all_mixes_of_two_each_alone_and_what_harm_needs():
    named = ["TcpCubic", "TcpBbr", "TcpVegas"]
    sweep = sweep_of("pairs: [cubic, bbr, TcpVegas]\ngrid: {delay: [5ms, 9ms]}\nfixed: {flows: 4}")
    assert pair_record.of(sweep) == sweep.axes["variant"] == named
    assert sweep.baseline == "TcpCubic"
    assert variants(sweep.own) == [(name, delay, 4) for name in named for delay in ("5ms", "9ms")]
    by_hand = ", ".join([*named, *("+".join(pair) for pair in itertools.combinations(named, 2))])
    same = sweep_of(f"harm: true\ngrid: {{variant: [{by_hand}], delay: [5ms, 9ms]}}\nfixed: {{flows: 4}}")
    assert sorted(variants(sweep.combinations)) == sorted(variants(same.combinations))
    assert len(sweep.combinations) == 2 * (3 * (3 + 5) // 2 - 2)
    assert "6 combinations and 14 for pairs" in sweep.counted()
    without = sweep_of("harm: false\npairs: [TcpCubic, TcpBbr, TcpVegas]")
    assert len(without.combinations) == 6


def test_pairs_in_a_described_network_are_of_its_flows():
    sweep = networks.read(NETWORK)
    found = [row["variant"] for row in sweep.combinations]
    assert found == ["TcpCubic", "TcpBbr", "TcpCubic+TcpBbr", "TcpCubic+none", "none+TcpBbr"]


def test_a_mix_that_exclude_names_is_left_out_and_its_variants_are_not():
    sweep = sweep_of("pairs: [TcpCubic, TcpBbr, TcpVegas]\nexclude: {variant: TcpCubic+TcpBbr}")
    assert [row["variant"] for row in sweep.own] == ["TcpCubic", "TcpBbr", "TcpVegas"]
    assert "TcpCubic+TcpBbr" not in [row["variant"] for row in sweep.combinations]


def test_the_mixes_count_towards_the_limits():
    data = {
        "sweep": "s",
        "scenario": "dumbbell",
        "pairs": [f"Tcp{number}" for number in range(500)],
        "grid": {"delay": ["1ms", "2ms"]},
    }
    (problem,) = limits.problems(SweepFile(data))
    assert problem.path == ("pairs",)
    assert "252,500 combinations" in problem.message
