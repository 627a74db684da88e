# SPDX-License-Identifier: MIT
"""Planning reports features that this kernel lacks; a late simulation in real time is repeated without others."""

import dataclasses
import re
import subprocess
import sys

import pytest

from tcpsweep.linux import kernel
from tcpsweep.linux.kernel import Kernel
from tcpsweep.ns3.engine import Engine
from tcpsweep.plan import cell_commands, checked_sweep, cost_estimates
from tcpsweep.run import real_time, run_cell
from tcpsweep.sweep.cost import Cost
from tcpsweep.sweep.job_plan import PlannedCell
from tcpsweep.sweepfile.document import yaml_document
from tcpsweep.sweepfile.keys import schema
from tests.linux.conftest import HERE, changed, in_virtual_time, messages, sweep_text
from tests.support.tools import ROOT

STACKS = ("ns-3", "linux")
SWEEP, NETWORK = sweep_text("beside"), sweep_text("described")


@pytest.fixture
def planned(read_plan, monkeypatch):
    """Plans a sweep file on a machine with this kernel, and none in virtual time: its sweep, and its messages."""
    in_virtual_time(monkeypatch)

    def planned(text, found=HERE):
        sweep, problems = read_plan(text, found)
        return sweep, [problem.message for problem in problems]

    return planned


CASES = messages("sweeps")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_impossible_requests_are_reported_when_planning(planned, case):
    problems = planned(changed(case))[1]
    told = case.get("told")
    assert [message for message in problems if told and told in message] == (problems[:1] if told else problems)
    assert bool(problems) == bool(told)


def test_a_machine_that_has_no_hosts_with_its_kernel_is_told_why(planned):
    without = Kernel("6.1", [], {}, "/dev/net/tun: Permission denied")
    assert "/dev/net/tun: Permission denied" in planned(SWEEP, without)[1][0]


def test_a_mix_of_both_is_in_real_time_and_has_the_kernel_in_its_id(planned):
    sweep, _ = planned(NETWORK)
    cell, *_ = cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"), dict)
    assert "--kernel=6.18.2" in cell.arguments
    assert real_time.is_asked_for(cell.arguments)
    assert not real_time.is_asked_for([each.replace("linux:bbr", "TcpBbr") for each in cell.arguments])
    # 4 Mbit/s over two links and 8 over one, in packets of 1502 B with an ACK for two, plus the beat.
    assert 0.12 < cost_estimates.real_time_share(sweep.combinations[0], "network") < 0.25


def test_a_wireless_scenario_has_no_stack(tmp_path):
    (tmp_path / "sweep.yaml").write_text(SWEEP.replace("dumbbell", "wifi-dumbbell"))
    _, problems = checked_sweep.expanded(yaml_document.read(tmp_path / "sweep.yaml"))
    assert "the scenario wifi-dumbbell does not take `stack`, where it is always ns-3" in problems[0].message


def test_only_the_kernels_cells_have_its_release_and_settings_in_their_ids(planned, monkeypatch):
    engine = Engine(ROOT, "3.44", "0")
    sweep, _ = planned(SWEEP)
    before = cell_commands.cells(sweep, "code", engine, dict)
    monkeypatch.setattr(kernel, "find", lambda names=(): Kernel("6.19", HERE.controls, HERE.settings))
    after = cell_commands.cells(sweep, "code", engine, dict)
    same = [one.id == other.id for one, other in zip(before, after, strict=True)]
    stacks = [sweep.combinations[cell.combination]["stack"] for cell in before]
    assert same == [stack == "ns-3" for stack in stacks]
    assert ["--kernel=6.19" in cell.arguments for cell in after] == [stack == "linux" for stack in stacks]


def test_time_is_virtual_if_a_kernel_was_built_or_if_it_is_asked_for(planned, monkeypatch):
    engine = Engine(ROOT, "3.44", "0")

    def cells(time):
        sweep, problems = planned(SWEEP.replace("fixed: {", f"fixed: {{time: {time}, "))
        assert problems == []
        return {
            sweep.combinations[cell.combination]["stack"]: cell for cell in cell_commands.cells(sweep, "", engine, dict)
        }

    in_virtual_time(monkeypatch)
    auto, real = cells("auto"), cells("real")
    assert auto == real
    assert real_time.is_asked_for(auto["linux"].arguments)
    in_virtual_time(monkeypatch, "6.12.3", "6.12.4")
    assert cells("real") == real
    assert cells("auto") == cells("virtual")
    virtual = cells("virtual")
    assert virtual["ns-3"] == real["ns-3"]
    assert virtual["linux"].id != real["linux"].id
    assert {"--time=virtual", "--kernel=6.12.4"} <= set(virtual["linux"].arguments)
    assert not real_time.is_asked_for(virtual["linux"].arguments)
    in_virtual_time(monkeypatch, "6.12.3")
    assert cells("virtual")["linux"].id != virtual["linux"].id


def test_kernels_are_an_axis(planned, monkeypatch):
    in_virtual_time(monkeypatch, "6.1.192-tcpsweep-a", "6.12.3-tcpsweep-b", "6.12.4-tcpsweep-c")
    text = SWEEP.replace("grid: {", "grid: {kernel: [linux-6.1, linux-6.12, newest, linux-6.12.3-tcpsweep-b], ")
    sweep, problems = planned(text)
    assert problems == []
    found = {}
    for cell in cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"), dict):
        row = sweep.combinations[cell.combination]
        found[row["stack"], row["kernel"]] = cell
    linux = {name: cell for (stack, name), cell in found.items() if stack == "linux"}
    release = {name: [each for each in cell.arguments if "--kernel=" in each] for name, cell in linux.items()}
    built = kernel.built()
    assert release == {
        "linux-6.1": ["--kernel=6.1.192-tcpsweep-a"],
        "linux-6.12": ["--kernel=6.12.4-tcpsweep-c"],
        "newest": ["--kernel=6.12.4-tcpsweep-c"],
        "linux-6.12.3-tcpsweep-b": ["--kernel=6.12.3-tcpsweep-b"],
    }
    assert len({cell.id for cell in linux.values()}) == 3
    assert len({cell.id for (stack, _), cell in found.items() if stack == "ns-3"}) == 1
    named = [built[0], dataclasses.replace(built[1], names=("bbr3",)), built[2]]
    monkeypatch.setattr(kernel, "built", lambda: tuple(named))
    assert kernel.find_virtual("bbr3").release == "6.12.3-tcpsweep-b"
    assert kernel.find_virtual("6.1").hindrance.startswith("no kernel 6.1 was built; there are bbr3, linux-6.1.192")
    monkeypatch.setattr(kernel, "built", lambda: built)
    assert planned(text.replace("linux-6.1,", "linux-6.2,"))[1] == [
        "no kernel linux-6.2 was built; there are linux-6.1.192-tcpsweep-a, linux-6.12.3-tcpsweep-b, "
        "linux-6.12.4-tcpsweep-c, or beginnings of versions"
    ]
    assert planned(text.replace("fixed: {", "fixed: {time: real, "))[1] == [
        "in real time, flows use this machine's kernel, 6.18.2; write `time: virtual`"
    ]


def test_sysctls_are_an_axis_of_linux_alone(planned):
    text = SWEEP.replace("grid: {", "grid: {sysctls: [none, net.ipv4.tcp_frto=1], ")
    sweep, problems = planned(text)
    assert problems == []
    found = [cell for cell in cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"), dict) if cell.run == 1]
    of = {stack: [each for each in found if sweep.combinations[each.combination]["stack"] == stack] for stack in STACKS}
    assert len({cell.id for cell in of["linux"]}) == 2
    assert len({cell.id for cell in of["ns-3"]}) == 1
    assert ["--sysctls=net.ipv4.tcp_frto=1" in cell.arguments for cell in of["linux"]] == [False, True]


def test_virtual_time_has_no_limit_of_rates_and_needs_a_kernel(planned, monkeypatch):
    text = SWEEP.replace("4Mbps", "1Gbps, time: virtual")
    in_virtual_time(monkeypatch)
    assert planned(text)[1] == [
        "`time: virtual` needs a kernel with such time; `tcpsweep kernel build` makes one, once, in about 5 min on two "
        "cores, or write `time: real`"
    ]
    in_virtual_time(monkeypatch, "6.12.3")
    sweep, problems = planned(text)
    assert problems == []
    assert [cost_estimates.real_time_share(row, sweep.scenario) for row in sweep.combinations] == [0, 0]
    assert planned(text.replace("virtual", "real"))[1][0].startswith("1Gbps with segments of 1448 B is too fast")


def test_the_simulator_and_the_schema_have_the_same_names():
    text = (ROOT / "ns3-scenarios/lib/flows/kernel-variants.cc").read_text()
    assert dict(re.findall(r'\{"(Tcp\w+)", "(\w+)"\}', text)) == schema.raw()["$defs"]["kernel_variants"]


def test_a_late_simulation_is_tried_again_a_limited_number_of_times(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "late"
    lines = "[ -e twice ] && touch checksums.txt && exit 0; [ -e once ] && touch twice; touch once; exit 3"
    program.write_text(f"#!/bin/sh\ncd {tmp_path}; {lines}\n")
    program.chmod(0o755)
    turns = []
    turn = real_time.place_among_others
    monkeypatch.setattr(real_time, "place_among_others", lambda alone: turns.append(alone) or turn(alone))
    run_cell.simulate_in(tmp_path, [str(program), "--stack=linux"])
    assert turns == [False, True, True]
    assert len(real_time.refusals(tmp_path)) == 2
    program.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(run_cell.TooLate):
        run_cell.simulate_in(tmp_path, [str(program), "--stack=linux"])
    assert len(turns) == 6


def test_shares_of_a_core_limit_the_number_of_concurrent_simulations():
    def cell(share):
        return PlannedCell("c", (), {}, Cost(1, 1, 1, 1), 1, share)

    none, tenth, fifth, whole = map(cell, (0, 0.1, 0.2, 1.0))
    assert real_time.groups([none, none], 2) == [([none, none], 2)]
    assert real_time.groups([none, tenth, fifth, none], 2) == [([fifth], 6), ([tenth], 12), ([none, none], 2)]
    assert real_time.groups([whole], 1) == [([whole], 1)]


def test_an_exclusive_simulation_waits_for_all_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "from tcpsweep.run import real_time\nwith real_time.place_among_others(True): print('alone')"
    with real_time.place_among_others(alone=False), real_time.place_among_others(alone=False):
        other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(0.4)
    assert other.communicate()[0] == "alone\n"
