# SPDX-License-Identifier: MIT
import itertools
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, job_files
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys import presets, schema, schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import rounding
from tests.support.sweep_texts import NS3, cells, ids, sweep_of

CLASSIC = 'attributes: {"ns3::TcpL4Protocol::RecoveryType": "ns3::TcpClassicRecovery"}'
NO_SACK = 'attributes: {"ns3::TcpSocketBase::Sack": false}'
NO_PRESET, LINUX = "fixed: {preset: none}", "fixed: {preset: linux}"
BBR = "fixed: {variant: TcpBbr, preset: none}"
WITH_RACK = ("dsack", "f_rto", "undo")  # the corrections that need RACK


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A grid is every combination, in the file's order.
        (
            "grid: {variant: [TcpCubic, TcpBbr], delay: [10ms, 40ms]}",
            {"variant": ["TcpCubic", "TcpCubic", "TcpBbr", "TcpBbr"], "delay": ["10ms", "40ms", "10ms", "40ms"]},
        ),
        # Zipped axes move together, and cross the grid.
        (
            "grid: {variant: [TcpCubic, TcpBbr]}\nzip: {bandwidth: [1Mbps, 2Mbps], delay: [1ms, 2ms]}",
            {
                "variant": ["TcpCubic", "TcpCubic", "TcpBbr", "TcpBbr"],
                "bandwidth": ["1Mbps", "2Mbps", "1Mbps", "2Mbps"],
                "delay": ["1ms", "2ms", "1ms", "2ms"],
            },
        ),
        # Several blocks are joined, and what they share is one cell.
        (
            "grid:\n- {delay: [1ms, 2ms]}\n- {delay: [2ms, 3ms], flows: [2]}\n",
            {"delay": ["1ms", "2ms", "3ms"], "flows": [2, 2, 2]},
        ),
        # An axis has its default where a block leaves it out.
        (
            "grid:\n- {variant: [TcpCubic]}\n- {variant: [TcpBbr], flows: [4, 8]}\n",
            {"variant": ["TcpCubic", "TcpBbr", "TcpBbr"], "flows": [2, 4, 8]},
        ),
        # Conditions leave out and keep.
        (
            "grid: {delay: [1ms, 2ms, 3ms], flows: [1, 2]}\nexclude: {delay: [1ms, 2000us], flows: 1}",
            {"delay": ["1ms", "2ms", "3ms", "3ms"], "flows": [2, 2, 1, 2]},
        ),
        (
            "grid: {delay: [1ms, 2ms, 3ms], flows: [1, 2]}\nonly: [{flows: 1}, {delay: 3ms}]",
            {"delay": ["1ms", "2ms", "3ms", "3ms"], "flows": [1, 1, 1, 2]},
        ),
        (
            "grid: {corrections: [none, prr, all], variant: [TcpCubic, TcpBbr]}\n"
            f"exclude: {{corrections: prr, variant: TcpBbr}}\n{NO_PRESET}",
            {
                "corrections": ["none", "none", "prr", "all", "all"],
                "variant": ["TcpCubic", "TcpBbr", "TcpCubic", "TcpCubic", "TcpBbr"],
            },
        ),
        # Which TCP runs is an axis, and sets both corrections and a preset.
        (
            "grid: {tcp: [ns-3, corrected], variant: [TcpCubic, TcpBbr]}\nexclude: {tcp: ns-3, variant: TcpBbr}",
            {
                "variant": ["TcpCubic", "TcpCubic", "TcpBbr"],
                "corrections": ["none", "all", "all"],
                "preset": ["none", "linux", "linux"],
                "ns3::TcpSocketBase::MinRto": [None, "200ms", "200ms"],
            },
        ),
        # A preset is an axis, and sets attributes.
        (
            "grid: {preset: [none, linux, datacentre], delay: [10ms, 20ms]}\n"
            "exclude: {preset: datacentre, delay: 20ms}",
            {
                "preset": ["none", "none", "linux", "linux", "datacentre"],
                "delay": ["10ms", "20ms", "10ms", "20ms", "10ms"],
                "ns3::TcpSocketBase::MinRto": [None, None, "200ms", "200ms", "5ms"],
            },
        ),
        # An attribute's list of values is an axis.
        (
            'attributes: {"ns3::TcpSocket::InitialCwnd": [1, 10], "ns3::TcpSocketBase::Sack": false}\n'
            'exclude: {"ns3::TcpSocket::InitialCwnd": 1, delay: 20ms}\ngrid: {delay: [10ms, 20ms]}',
            {
                "delay": ["10ms", "10ms", "20ms"],
                "ns3::TcpSocket::InitialCwnd": ["1", "10", "10"],
                "ns3::TcpSocketBase::Sack": ["false", "false", "false"],
            },
        ),
    ],
)
def test_combinations_are_those_of_the_sections(text, found):
    sweep = sweep_of(text)
    assert {name: [row.get(name) for row in sweep.combinations] for name in found} == found


def test_axes_have_the_files_order_and_all_values():
    assert list(sweep_of("grid: {variant: [TcpCubic, TcpBbr], delay: [10ms, 40ms]}").axes) == ["variant", "delay"]
    blocks = "grid:\n- {variant: [TcpCubic]}\n- {variant: [TcpBbr], flows: [4, 8]}\n"
    assert sweep_of(blocks).axes == {"variant": ["TcpCubic", "TcpBbr"], "flows": [2, 4, 8]}
    initial = "ns3::TcpSocket::InitialCwnd"
    attributes = f'attributes: {{"{initial}": [1, 10]}}\ngrid: {{delay: [10ms, 20ms]}}'
    assert list(sweep_of(attributes).axes) == ["delay", initial]
    presets = sweep_of("grid: {preset: [none, linux, datacentre], delay: [10ms, 20ms]}")
    assert list(presets.axes) == ["preset", "delay"] and list(presets.presets) == ["linux", "datacentre"]


def test_runs_and_repetitions():
    assert sweep_of("repetitions: 3").runs == (1, 2, 3)
    assert sweep_of("runs: [0, 7]").runs == (0, 7)
    assert sweep_of("").runs == tuple(range(1, 11))
    assert sweep_of("repetitions: 1e1").runs == tuple(range(1, 11))
    assert sweep_of("runs: [2.0]\nseed: 3.0").seed == 3


AXES = {
    "variant": ["TcpCubic", "TcpBbr", "TcpVegas+TcpCubic"],
    "bandwidth": ["1Mbps", "2500kbps", "10Mbps"],
    "loss": [0, 1e-3, 0.25],
    "flows": [1, 2, 30],
    "access_delay": ["1ms", ["1ms", "5ms"]],
}


@settings(max_examples=30)
@given(
    st.fixed_dictionaries(
        {}, optional={name: st.lists(st.sampled_from(v), min_size=1, unique_by=str) for name, v in AXES.items()}
    ),
    st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4, unique=True),
)
def test_any_grid_has_the_product_of_its_axes_and_as_many_ids(block, runs):
    data = {"sweep": "s", "scenario": "dumbbell", "runs": runs} | ({"grid": block} if block else {})
    assert schema_check.problems(data) == []
    sweep, problems = grid.expand(SweepFile(data))
    mixed = block.get("variant", [""])
    if any("+" in variant for variant in mixed) and 1 in block.get("flows", [2]):
        assert {problem.message for problem in problems} == {
            "TcpVegas+TcpCubic needs 2 flows or more, got 1; write `flows: 2`"
        }
    else:
        assert problems == []
    count = math.prod(len(v) for v in block.values())
    assert len(sweep.combinations) == count
    found = {cell.id for cell in cell_commands.cells(sweep, "code", NS3, dict)}
    assert len(found) == count * len(runs)


@settings(max_examples=10)
@given(st.permutations(list(AXES)))
def test_the_order_of_axes_and_values_changes_no_id(names):
    def ids_of(names, turn):
        block = {name: AXES[name][::turn] for name in names}
        sweep, _ = grid.expand(SweepFile({"sweep": "s", "scenario": "dumbbell", "runs": [1], "grid": block}))
        return {cell.id for cell in cell_commands.cells(sweep, "code", NS3, dict)}

    assert ids_of(names, 1) == ids_of(list(AXES), -1)


# Each pair of texts asks for the same simulations.
ALIKE = [
    ("grid: {bandwidth: [5Mbps]}", "fixed: {bandwidth: 5000kbps}"),
    ("grid: {loss: [1e-3, 1%, 0.5 %]}", "grid: {loss: [0.001, 0.01, 0.005]}"),
    ("", "fixed: {delay: 20ms, loss: 0.0, flows: 2}"),
    ("fixed: {warmup: 5s}", "fixed: {warmup: 10s}"),
    ("capture: {keep_raw: true}", "capture: {keep_raw: false, queue: true}"),
    ("fixed: {access_delay: [2ms, 2ms]}", "fixed: {access_delay: 2ms}"),
    ("fixed: {variant: ns3::TcpBbr}", "fixed: {variant: TcpBbr}"),
    ('attributes: {"ns3::TcpSocket::InitialCwnd": 10}', 'attributes: {"ns3::TcpSocket::InitialCwnd": "10"}'),
    ('attributes: {"ns3::TcpSocket::InitialCwnd": 20}', 'attributes: {"ns3::TcpSocket::InitialCwnd": "20"}'),
    # ns-3's defaults, as its catalogue lists them.
    ("", 'attributes: {"ns3::TcpSocket::InitialCwnd": 10}'),
    ("", 'attributes: {"ns3::TcpSocket::DelAckCount": [2]}'),
    (NO_PRESET, f'{NO_PRESET}\nattributes: {{"ns3::TcpSocketBase::MinRto": 1000ms, "ns3::TcpSocketBase::Sack": true}}'),
    (
        "tcp: ns-3",
        'attributes: {"ns3::TcpCubic::Beta": 0.70, "ns3::TcpL4Protocol::RecoveryType": "ns3::TcpPrrRecovery"}\n'
        "tcp: ns-3",
    ),
    ("", "tcp: corrected"),
    ("tcp: ns-3", "fixed: {tcp: ns-3, preset: none}"),
    ("corrections: all\nfixed: {preset: linux}", "fixed: {tcp: corrected}"),
    ("corrections: none\nfixed: {preset: linux}", "tcp: ns-3\nfixed: {preset: linux}"),
    ("fixed: {bytes: 200kB}", "fixed: {bytes: 2e5}"),
    ("fixed: {bytes: [1MiB, 5MB]}", "fixed: {bytes: [1048576, 5000000]}"),
    ("fixed: {segment_size: 1kB}", "fixed: {segment_size: 1000}"),
    ("fixed: {cbr_packet_size: 1KiB}", "fixed: {cbr_packet_size: 1024}"),
    ("grid: {variant: [cubic, bbr, cubic+bbr]}", "grid: {variant: [TcpCubic, TcpBbr, TcpCubic+TcpBbr]}"),
    ("fixed: {queue_disc: fq_codel, queue: 100p}", "fixed: {queue_disc: FqCoDelQueueDisc, queue: 100p}"),
    ("fixed: {queue_disc: fq-codel, queue: 100p}", "fixed: {queue_disc: FqCoDelQueueDisc, queue: 100p}"),
    ("grid: {variant: [newreno, vegas]}\nexclude: {variant: newreno}", "fixed: {variant: TcpVegas}"),
    # A cell without the correction that its attributes or its variant make needless.
    (f"corrections: rate_sample\n{NO_PRESET}", f"corrections: none\n{NO_PRESET}"),
    *((f"corrections: prr\n{CLASSIC}\n{each}", f"corrections: none\n{CLASSIC}\n{each}") for each in (NO_PRESET, LINUX)),
    *(
        (f"corrections: rack_tlp+{name}\n{NO_SACK}\n{NO_PRESET}", f"corrections: none\n{NO_SACK}\n{NO_PRESET}")
        for name in WITH_RACK
    ),
    # Only Linux' BBR undoes a reduction.
    (f"corrections: rack_tlp+undo\n{BBR}", f"corrections: rack_tlp\n{BBR}"),
    (f"corrections: [rate_sample, prr]\n{NO_PRESET}", f"corrections: prr+rate_sample\n{NO_PRESET}"),
]
# Each pair of texts asks for other simulations.
DIFFERENT = [
    ("", "fixed: {bandwidth: 6Mbps}"),
    ("", "fixed: {access_delay: [1ms, 2ms]}"),
    ("", "seed: 2"),
    ("", "runs: [11, 12, 13, 14, 15]"),
    ("", "capture: {traces: []}"),
    ("", "capture: {queue: false}"),
    ("", 'attributes: {"ns3::TcpSocket::InitialCwnd": 11}'),
    # A scenario does not choose what is set, even if that is ns-3's default.
    ("", 'attributes: {"ns3::TcpSocketState::MaxPacingRate": 4Gbps}'),
    ("", 'attributes: {"ns3::RedQueueDisc::MinTh": 5}'),
    ("", 'attributes: {"ns3::TcpBbr::Stream": 4}'),
    (NO_PRESET, "fixed: {preset: linux}"),
    ("", "fixed: {preset: datacentre}"),
    ("", "tcp: ns-3"),
    (f"corrections: prr\n{NO_PRESET}", f"corrections: none\n{NO_PRESET}"),
    *((f"corrections: rack_tlp+{name}\n{NO_PRESET}", f"corrections: rack_tlp\n{NO_PRESET}") for name in WITH_RACK),
    (f"corrections: bbr+rack_tlp+undo\n{BBR}", f"corrections: bbr+rack_tlp\n{BBR}"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_does_not_change_the_simulation_does_not_change_its_id(one, other):
    assert ids(one) == ids(other)


def test_a_default_in_the_file_takes_precedence_over_the_presets_value():
    settings = {name: each.value for name, each in presets.preset("linux").settings.items() if each.unless != "prr"}
    own = "ns3::TcpSocketBase::ClockGranularity"
    del settings[own]
    written = f"attributes: {json.dumps(settings)}"
    assert ids(f"fixed: {{preset: linux}}\nattributes: {{{own}: 1ms}}") == ids(f"{NO_PRESET}\n{written}")
    assert set(ids("fixed: {preset: linux}")).isdisjoint(ids(f"{NO_PRESET}\n{written}"))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_changes_the_simulation_changes_its_id(one, other):
    assert set(ids(one)).isdisjoint(ids(other))


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
    corrected = "corrections: prr\nfixed: {preset: none, queue: 50p, access_delay: [1ms, 2ms]}"
    (cell,) = cells(f"{corrected}\nruns: [3]\nseed: 9")
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


@settings(max_examples=30)
@given(st.dictionaries(st.integers(), st.floats(0.01, 500), max_size=300), st.integers(1, 64))
def test_dealing_gives_every_work_to_one_job(costs, cores):
    jobs = job_files.deal(costs, cores)
    assert sorted(work for job in jobs for work in job) == sorted(costs)
    assert all(jobs)


def test_on_this_machine_the_longest_work_comes_first_in_jobs_that_a_process_can_hold():
    jobs = job_files.in_order({i: i % 7 for i in range(50_000)})
    assert [len(job) for job in jobs] == [20_000, 20_000, 10_000]
    seconds = [i % 7 for job in jobs for i in job]
    assert seconds == sorted(seconds, reverse=True)


def test_long_work_has_jobs_of_its_own_and_short_work_shares_them():
    assert [len(job) for job in job_files.deal({i: 900.0 for i in range(8)}, 2)] == [1] * 8
    jobs = job_files.deal({i: 0.5 for i in range(10_000)}, 2)
    assert len(jobs) < 50
    assert len(jobs[-1]) <= job_files.CLUSTER_SECONDS[0] / 0.5


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (999, "999 B"), (1234, "1.23 kB"), (5e6, "5 MB"), (58e9, "58 GB"), (7e12, "7 TB")]
)
def test_bytes_for_people(count, text):
    assert rounding.bytes_text(count) == text


@pytest.mark.parametrize("scenario", [name for name in schema.scenarios() if name != schema.PROGRAM])
def test_every_scenarios_defaults_go_together(scenario):
    assert len(sweep_of("", scenario).combinations) == 1
