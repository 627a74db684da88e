# SPDX-License-Identifier: MIT
import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.ns3.engine import Engine
from tcpsweep.plan import cell_commands, dealing
from tcpsweep.sweepfile.checks import clashes
from tcpsweep.sweepfile.combinations import grid
from tcpsweep.sweepfile.keys import schema, schema_check
from tcpsweep.words import sizes_and_times
from tests.support.sweep_texts import NS3, cells, expanded, ids, sweep_of


def told(text):
    return [problem.message for problem in expanded(text)[1]]


def values(sweep, *names):
    return [tuple(row[name] for name in names) for row in sweep.combinations]


def test_a_grid_is_every_combination_in_the_files_order():
    sweep = sweep_of("grid: {variant: [TcpCubic, TcpBbr], delay: [10ms, 40ms]}")
    assert values(sweep, "variant", "delay") == [
        ("TcpCubic", "10ms"),
        ("TcpCubic", "40ms"),
        ("TcpBbr", "10ms"),
        ("TcpBbr", "40ms"),
    ]
    assert list(sweep.axes) == ["variant", "delay"]


def test_zipped_axes_move_together_and_cross_the_grid():
    sweep = sweep_of("grid: {variant: [TcpCubic, TcpBbr]}\nzip: {bandwidth: [1Mbps, 2Mbps], delay: [1ms, 2ms]}")
    assert values(sweep, "variant", "bandwidth", "delay") == [
        ("TcpCubic", "1Mbps", "1ms"),
        ("TcpCubic", "2Mbps", "2ms"),
        ("TcpBbr", "1Mbps", "1ms"),
        ("TcpBbr", "2Mbps", "2ms"),
    ]


def test_several_grid_blocks_are_joined_and_what_they_share_is_one_cell():
    sweep = sweep_of("grid:\n- {delay: [1ms, 2ms]}\n- {delay: [2ms, 3ms], flows: [2]}\n")
    assert values(sweep, "delay", "flows") == [("1ms", 2), ("2ms", 2), ("3ms", 2)]


def test_an_axis_has_the_default_that_another_block_leaves():
    sweep = sweep_of("grid:\n- {variant: [TcpCubic]}\n- {variant: [TcpBbr], flows: [4, 8]}\n")
    assert values(sweep, "variant", "flows") == [("TcpCubic", 2), ("TcpBbr", 4), ("TcpBbr", 8)]
    assert sweep.axes["flows"] == [2, 4, 8]


def test_conditions_keep_and_leave_out():
    text = "grid: {delay: [1ms, 2ms, 3ms], flows: [1, 2]}\n"
    assert values(sweep_of(text + "exclude: {delay: [1ms, 2000us], flows: 1}"), "delay", "flows") == [
        ("1ms", 2),
        ("2ms", 2),
        ("3ms", 1),
        ("3ms", 2),
    ]
    assert values(sweep_of(text + "only: [{flows: 1}, {delay: 3ms}]"), "delay", "flows") == [
        ("1ms", 1),
        ("2ms", 1),
        ("3ms", 1),
        ("3ms", 2),
    ]


def test_attributes_are_set_and_a_list_of_values_is_an_axis():
    sweep = sweep_of(
        'attributes: {"ns3::TcpSocket::InitialCwnd": [1, 10], "ns3::TcpSocketBase::Sack": false}\n'
        'exclude: {"ns3::TcpSocket::InitialCwnd": 1, delay: 20ms}\ngrid: {delay: [10ms, 20ms]}'
    )
    assert values(sweep, "delay", "ns3::TcpSocket::InitialCwnd", "ns3::TcpSocketBase::Sack") == [
        ("10ms", "1", "false"),
        ("10ms", "10", "false"),
        ("20ms", "10", "false"),
    ]
    assert list(sweep.axes) == ["delay", "ns3::TcpSocket::InitialCwnd"]


def test_runs_and_repetitions():
    assert sweep_of("repetitions: 3").runs == (1, 2, 3)
    assert sweep_of("runs: [0, 7]").runs == (0, 7)
    assert sweep_of("").runs == tuple(range(1, 11))
    assert sweep_of("repetitions: 1e1").runs == tuple(range(1, 11))
    assert sweep_of("runs: [2.0]\nseed: 3.0").seed == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grid: {delay: [10ms, 0.01s]}", "the axis has 10ms twice"),
        ("grid: {delay: [10ms]}\nfixed: {delay: 20ms}", "delay is set twice, here and in grid; remove one"),
        ("zip: [{delay: [1ms, 2ms]}, {delay: [3ms, 4ms]}]", "delay is set twice, here and in zip[0]; remove one"),
        (
            'zip: {"ns3::A::B": [1]}\nattributes: {"ns3::A::B": [2, 3]}',
            "ns3::A::B is set twice, here and in zip; remove one",
        ),
        ('attributes: {"ns3::A::B": [2, 2.0]}', "the axis has 2 twice"),
        ("zip: {delay: [1ms, 0.001s], flows: [2, 2]}", "values number 2 of these axes repeat an earlier combination"),
        ("zip: {delay: [1ms, 2ms], flows: [1]}", "delay has 2, flows has 1"),
        ("grid: {delay: [1ms]}\nexclude: {delay: 2ms}", "delay is never 2ms in this sweep; it is 1ms"),
        ("grid: {delay: [1ms]}\nonly: {flows: 99}", "flows is never 99 in this sweep; it is 2"),
        ("grid: {delay: [1ms]}\nexclude: {delay: 1ms}", "`exclude` and `only` remove every combination"),
        ("fixed: {duration: 10s, warmup: 15s}", "warmup (15s) must be shorter than duration (10s)"),
        ("fixed: {variant: TcpCubic+TcpBbr+TcpVegas}", "needs 3 flows or more, got 2; write `flows: 3`"),
        ("fixed: {flows: 4, start_stagger: 20s}", "flow 3 starts after the end"),
        ("fixed: {segment_size: 1460}", "at most 1448 B fit"),
        ("fixed: {queue: 30kB, queue_disc: FqCoDelQueueDisc}", "counts packets"),
        ("fixed: {variant: TcpDctcp}", "needs `ecn: true` and a queue disc that marks"),
        ("fixed: {ecn: true, queue_disc: FifoQueueDisc}", "FifoQueueDisc does not; write `queue_disc: RedQueueDisc`"),
        (
            "fixed: {variant: TcpDctcp, ecn: true, queue_disc: RedQueueDisc}",
            "write `ecn_threshold`, such as 20p, or ns3::RedQueueDisc::MinTh",
        ),
        ("fixed: {queue_disc: RedQueueDisc, ecn_threshold: 20p}", "`ecn_threshold` needs `ecn: true`"),
        (
            "fixed: {ecn: true, queue_disc: PieQueueDisc, ecn_threshold: 1ms}",
            "RedQueueDisc takes a length, such as 20p",
        ),
        ("fixed: {ecn: true, queue_disc: CoDelQueueDisc, ecn_threshold: 20p}", "expected a time, such as 1ms; got 20p"),
        ("fixed: {ecn: true, queue_disc: RedQueueDisc, ecn_threshold: 1ms}", "such as 20p; got 1ms"),
        # 10 Mbit/s × 44 ms are 36.6 packets of 1502 B.
        (
            "fixed: {ecn: true, queue_disc: RedQueueDisc, ecn_threshold: 1bdp}",
            "less than the queue, 37p, such as 36p; got 1bdp",
        ),
        (
            "fixed: {ecn: true, queue_disc: RedQueueDisc, queue: 60kB, ecn_threshold: 40p}",
            "less than the queue, 60000B, such as 58500B; got 40p",
        ),
        (
            "fixed: {ecn: true, queue_disc: RedQueueDisc, ecn_threshold: 9p}\nattributes: {ns3::RedQueueDisc::QW: 1}",
            "this also sets ns3::RedQueueDisc::QW",
        ),
        (
            "fixed: {queue_disc: RedQueueDisc, queue: 20p}\nattributes: {ns3::RedQueueDisc::MaxTh: [20, 40]}",
            "expected no more than the queue, 20p; got 40",
        ),
        (
            "fixed: {queue_disc: RedQueueDisc, queue: 60p}\nattributes: {ns3::RedQueueDisc::MinTh: 30}",
            "expected at most 20, because MaxTh is three times as much and at most the queue, 60p; got 30",
        ),
        (
            "fixed: {queue_disc: RedQueueDisc, queue: 60kB}\n"
            "attributes: {ns3::RedQueueDisc::MinTh: 5, ns3::RedQueueDisc::MaxTh: 15}",
            "MaxTh is in bytes, like the queue: expected at least a full packet, 1500; got 15",
        ),
        (
            "fixed: {queue_disc: RedQueueDisc}\n"
            "attributes: {ns3::RedQueueDisc::MinTh: 20, ns3::RedQueueDisc::MaxTh: 15}",
            "expected from 0 to MaxTh, 15; got 20",
        ),
        (
            "fixed: {queue_disc: fq_codel, ecn: true}\nattributes: {ns3::FqCoDelQueueDisc::UseL4s: true}",
            "L4S marks above a delay: write `ecn_threshold: 1ms`, or ns3::FqCoDelQueueDisc::CeThreshold",
        ),
        (
            "fixed: {queue_disc: FqPieQueueDisc, ecn: true}\nattributes: {ns3::FqPieQueueDisc::UseL4s: true}",
            "L4S marks above a delay: write ns3::FqPieQueueDisc::CeThreshold: 1ms",
        ),
        (
            "fixed: {queue_disc: codel}\n"
            "attributes: {ns3::CoDelQueueDisc::UseL4s: true, ns3::CoDelQueueDisc::CeThreshold: 1ms}",
            "this needs `ecn: true`, without which no packet is marked",
        ),
        ("fixed: {loss: 1e-6, loss_unit: byte, loss_burst: 3}", "bursts count packets"),
        # 1e9 times 36.6 packets, of 55,000 B in the bandwidth-delay product, are more than 2^32 - 1.
        (
            "fixed: {queue: 1e9bdp}",
            "at most 4,294,967,295 packets, the most that ns-3 counts; 1000000000bdp comes to 36,",
        ),
        ("fixed: {socket_buffer: 1000}", "expected auto, or at least one segment, 1448 B; got 1000"),
        # A packet of 1502 B takes 1.2 ms at 10 Mbit/s.
        ("fixed: {packet_jitter: 1e308}", "expected at most 8.32e+11, 1e+09 s; got 1e+308"),
        ("fixed: {stop: [0s, 5s], start: 5s}", "flow 1 leaves (5 s) before it joins (5 s)"),
        ("fixed: {cbr_flows: 1, cbr_start: 9s, cbr_stop: 8s}", "cbr_stop (8s) must come after cbr_start (9s)"),
        ("fixed: {step_bandwidth: 5Mbps}", "step_bandwidth needs the time of the step"),
        ("fixed: {step_time: 20s}", "a step needs step_bandwidth, step_delay or both"),
        ("fixed: {step_time: 60s, step_delay: 5ms}", "must come before the simulation's end"),
    ],
)
def test_what_does_not_go_together_is_refused(text, message):
    assert any(message in line for line in told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{bandwidth: 10Mbps, access_bandwidth: [1Gbps, 10Mbps]}", ["access link of 10Mbps", "bottleneck, 10Mbps"]),
        ("{step_time: 20s, step_bandwidth: 2Gbps}", ["access link of 1Gbps", "bottleneck, 2Gbps"]),
        # 1 - (1 - p)^1502 = 0.1 at p = 7.0144e-5.
        ("{loss_unit: byte, loss: 7.02e-5}", ["loses 10% of full packets"]),
        ("{loss: 0.25}", ["loses 25% of full packets"]),
        ("{cbr_flows: 10, cbr_rate: 1Mbps}", ["10 CBR flows of 1Mbps fill the bottleneck"]),
        (
            "fixed: {bandwidth: 400Mbps}\nattributes: {ns3::TcpSocketState::MaxPacingRate: 200Mb/s}",
            ["MaxPacingRate 200Mbps", "less than the bottleneck's 400Mbps"],
        ),
        # 2 × (100 us + 2 × 20 us).
        (
            "{delay: 100us, access_delay: 20us}",
            ["280us", "whole milliseconds", "after 1s, 3600 times", "200ms, 710 times", "datacentre"],
        ),
        ("{delay: 100us, access_delay: [20us, 1ms], preset: linux}", ["280us", "whole milliseconds", "datacentre"]),
        (
            "fixed: {delay: 4ms}\n"
            "attributes: {ns3::TcpSocketBase::Timestamp: false, ns3::TcpSocketBase::MinRto: 200ms}",
            ["12ms", "a delayed ACK waits up to 200ms, 17 times that"],
        ),
        ("{variant: TcpDctcp, ecn: true, queue_disc: CoDelQueueDisc}", ["write `ecn_threshold`, such as 1ms"]),
        ("{variant: TcpDctcp, ecn: true, queue_disc: PieQueueDisc}", ["which PieQueueDisc lacks", "use RedQueueDisc"]),
        (
            "fixed: {variant: TcpDctcp, ecn: true, queue_disc: fq_codel, ecn_threshold: 1ms}\n"
            "attributes: {ns3::FqCoDelQueueDisc::UseL4s: true}",
            ["sends ECT(0)", "ns3::TcpDctcp::UseEct0: false"],
        ),
        (
            "fixed: {variant: linux:dctcp, ecn: true, queue_disc: fq_codel, ecn_threshold: 1ms}\n"
            "attributes: {ns3::FqCoDelQueueDisc::UseL4s: true, ns3::TcpDctcp::UseEct0: false}",
            ["linux:dctcp sends ECT(0)", "Linux' DCTCP has no other"],
        ),
        (
            "{variant: TcpDctcp, ecn: true, queue_disc: dualpi2}",
            ["its classic queue", "ns3::TcpDctcp::UseEct0: false"],
        ),
        (
            "{variant: linux:dctcp, ecn: true, queue_disc: dualpi2}",
            ["its classic queue", "ns3::DualPi2QueueDisc::AnyEct: true"],
        ),
    ],
)
def test_what_makes_a_comparison_void_is_warned_about(text, words):
    (row,) = sweep_of(f"fixed: {text}" if text.startswith("{") else text).combinations
    (warning,) = clashes.warnings("dumbbell", row)
    assert all(word in warning for word in words), warning


@pytest.mark.parametrize(
    "text",
    [
        "{flows: 2}",
        "{delay: 9ms, access_delay: 500us}",
        "{delay: 100us, access_delay: 20us, preset: datacentre}",
        "{loss_unit: byte, loss: 7.01e-5}",
        "{loss: 0.09}",
        "{cbr_flows: 9}",
        "{variant: TcpDctcp, ecn: true, queue_disc: RedQueueDisc, ecn_threshold: 0.2bdp}",
        "{variant: TcpCubic+TcpPrague, queue_disc: dualpi2}",
        "{variant: TcpDctcp, ecn: true, queue_disc: FqCoDelQueueDisc, ecn_threshold: 1ms}",
    ],
)
def test_what_is_sound_is_not_warned_about(text):
    assert list(clashes.warnings("dumbbell", sweep_of(f"fixed: {text}").combinations[0])) == []


AXES = {
    "variant": ["TcpCubic", "TcpBbr", "TcpVegas+TcpCubic"],
    "bandwidth": ["1Mbps", "2500kbps", "10Mbps"],
    "loss": [0, 1e-3, 0.25],
    "flows": [1, 2, 30],
    "access_delay": ["1ms", ["1ms", "5ms"]],
}


@given(
    st.fixed_dictionaries(
        {}, optional={name: st.lists(st.sampled_from(v), min_size=1, unique_by=str) for name, v in AXES.items()}
    ),
    st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4, unique=True),
)
def test_any_grid_has_the_product_of_its_axes_and_as_many_ids(block, runs):
    data = {"sweep": "s", "scenario": "dumbbell", "runs": runs} | ({"grid": block} if block else {})
    assert schema_check.problems(data) == []
    sweep, problems = grid.expand(data)
    mixed = block.get("variant", [""])
    if any("+" in variant for variant in mixed) and 1 in block.get("flows", [2]):
        assert {problem.message for problem in problems} == {
            "TcpVegas+TcpCubic needs 2 flows or more, got 1; write `flows: 2`"
        }
    else:
        assert problems == []
    count = math.prod(len(v) for v in block.values())
    assert len(sweep.combinations) == count
    found = {cell.id for cell in cell_commands.cells(sweep, "code", NS3)}
    assert len(found) == count * len(runs)


@given(st.permutations(list(AXES)))
def test_the_order_of_axes_and_values_changes_no_id(names):
    def ids_of(names, turn):
        block = {name: AXES[name][::turn] for name in names}
        sweep, _ = grid.expand({"sweep": "s", "scenario": "dumbbell", "grid": block})
        return {cell.id for cell in cell_commands.cells(sweep, "code", NS3)}

    assert ids_of(names, 1) == ids_of(list(AXES), -1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("grid: {bandwidth: [5Mbps]}", "fixed: {bandwidth: 5000kbps}"),
        ("grid: {loss: [1e-3]}", "grid: {loss: [0.001]}"),
        ("", "fixed: {delay: 20ms, loss: 0.0, flows: 2}"),
        ("fixed: {warmup: 5s}", "fixed: {warmup: 10s}"),
        ("capture: {keep_raw: true}", "capture: {keep_raw: false, queue: true}"),
        ("fixed: {access_delay: [2ms, 2ms]}", "fixed: {access_delay: 2ms}"),
        ("fixed: {variant: ns3::TcpBbr}", "fixed: {variant: TcpBbr}"),
        ('attributes: {"ns3::TcpSocket::InitialCwnd": 10}', 'attributes: {"ns3::TcpSocket::InitialCwnd": "10"}'),
    ],
)
def test_what_does_not_change_the_simulation_does_not_change_its_id(one, other):
    assert ids(one) == ids(other)


@pytest.mark.parametrize(
    "other",
    [
        "fixed: {bandwidth: 6Mbps}",
        "fixed: {access_delay: [1ms, 2ms]}",
        "seed: 2",
        "runs: [11, 12, 13, 14, 15]",
        "capture: {traces: []}",
        "capture: {queue: false}",
        'attributes: {"ns3::TcpSocket::InitialCwnd": 10}',
    ],
)
def test_what_changes_the_simulation_changes_its_id(other):
    assert not set(ids("")) & set(ids(other))


def test_code_and_ns3_are_part_of_the_identity():
    kinds = [
        ("a", NS3),
        ("b", NS3),
        ("a", Engine(None, "3.37", NS3.libraries_id)),
        ("a", Engine(None, "3.44", "other")),
    ]
    found = [set(ids("", code, ns3)) for code, ns3 in kinds]
    assert not any(one & other for one, other in itertools.combinations(found, 2))


def test_an_id_is_readable_and_a_plain_file_name():
    first = ids("fixed: {variant: TcpNewReno+TcpCubic, bandwidth: 2.5Mbps, loss: 1e-3}")[0]
    assert first.startswith("dumbbell-TcpNewReno+TcpCubic-2.5Mbps-20ms-1bdp-loss0.001-flows2-r1-")


def test_arguments_say_what_the_name_shows_and_what_differs_from_the_default():
    (cell,) = cells("fixed: {queue: 50p, access_delay: [1ms, 2ms]}\nruns: [3]\nseed: 9")
    assert cell.arguments == (
        "--variant=TcpCubic",
        "--bandwidth=10Mbps",
        "--delay=20ms",
        "--loss=0",
        "--flows=2",
        "--access_delay=1ms,2ms",
        "--queue=50p",
        "--corrections=prr",
        "--RngSeed=9",
        "--RngRun=3",
    )


@given(st.dictionaries(st.integers(), st.floats(0.01, 500), max_size=300), st.integers(1, 64))
def test_dealing_gives_every_work_to_one_job(costs, cores):
    jobs = dealing.deal(costs, cores)
    assert sorted(work for job in jobs for work in job) == sorted(costs)
    assert all(jobs)


def test_on_this_machine_the_longest_work_comes_first_in_jobs_that_a_process_can_hold():
    jobs = dealing.in_order({i: i % 7 for i in range(50_000)})
    assert [len(job) for job in jobs] == [20_000, 20_000, 10_000]
    seconds = [i % 7 for job in jobs for i in job]
    assert seconds == sorted(seconds, reverse=True)


def test_long_work_has_jobs_of_its_own_and_short_work_shares_them():
    assert [len(job) for job in dealing.deal({i: 900.0 for i in range(8)}, 2)] == [1] * 8
    jobs = dealing.deal({i: 0.5 for i in range(10_000)}, 2)
    assert len(jobs) < 50
    assert len(jobs[-1]) <= dealing.CLUSTER_SECONDS[0] / 0.5


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (999, "999 B"), (1234, "1.23 kB"), (5e6, "5 MB"), (58e9, "58 GB"), (7e12, "7 TB")]
)
def test_bytes_for_people(count, text):
    assert sizes_and_times.bytes_text(count) == text


@pytest.mark.parametrize("scenario", [name for name in schema.scenarios() if name != schema.PROGRAM])
def test_every_scenarios_defaults_go_together(scenario):
    assert len(sweep_of("", scenario).combinations) == 1
