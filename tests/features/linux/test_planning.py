# SPDX-License-Identifier: MIT
"""Planning reports features that a kernel lacks, and the ids of simulations cover their kernel."""

import dataclasses
import re

import pytest

from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.features.linux import kernel
from tests.features.linux.conftest import changed, in_virtual_time, messages, sweep_text
from tests.support.tools import ROOT

STACKS = ("ns-3", "linux")
SWEEP, NETWORK = sweep_text("beside"), sweep_text("described")


@pytest.fixture
def planned(read_plan):
    """Plans a sweep file where a kernel was built: its sweep, and its messages."""

    def planned(text):
        sweep, problems = read_plan(text)
        return sweep, [problem.message for problem in problems]

    return planned


CASES = messages("sweeps")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_impossible_requests_are_reported_when_planning(planned, case):
    problems = planned(changed(case))[1]
    told = case.get("told")
    assert [message for message in problems if told and told in message] == (problems[:1] if told else problems)
    assert bool(problems) == bool(told)


def test_a_mix_of_both_has_the_kernel_among_its_arguments(planned):
    sweep, _ = planned(NETWORK)
    cell, *_ = cell_commands.cells(sweep, "code", Engine(ROOT, "3.44", "0"), dict)
    assert "--kernel=6.12.1" in cell.arguments


def test_a_wireless_scenario_has_no_stack(tmp_path):
    (tmp_path / "sweep.yaml").write_text(SWEEP.replace("dumbbell", "wifi-dumbbell"))
    _, problems = checked_sweep.expanded(yaml_document.read(tmp_path / "sweep.yaml"))
    assert "the scenario wifi-dumbbell does not take `stack`, where it is always ns-3" in problems[0].message


def test_the_newest_kernel_determines_only_the_ids_of_linux(planned, monkeypatch):
    def cells():
        sweep, problems = planned(SWEEP)
        assert problems == []
        found = cell_commands.cells(sweep, "", Engine(ROOT, "3.44", "0"), dict)
        return {sweep.combinations[cell.combination]["stack"]: cell for cell in found}

    before = cells()
    in_virtual_time(monkeypatch, "6.12.3", "6.12.4")
    after = cells()
    assert after["ns-3"] == before["ns-3"]
    assert after["linux"].id != before["linux"].id
    assert "--kernel=6.12.4" in after["linux"].arguments
    assert not [each for each in after["ns-3"].arguments if "--kernel=" in each]


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
    assert kernel.find("bbr3").release == "6.12.3-tcpsweep-b"
    assert kernel.find("6.1").hindrance.startswith("no kernel 6.1 was built; there are bbr3, linux-6.1.192")
    monkeypatch.setattr(kernel, "built", lambda: built)
    assert planned(text.replace("linux-6.1,", "linux-6.2,"))[1] == [
        "no kernel linux-6.2 was built; there are linux-6.1.192-tcpsweep-a, linux-6.12.3-tcpsweep-b, "
        "linux-6.12.4-tcpsweep-c, or beginnings of versions"
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


def test_linux_needs_a_kernel(planned, monkeypatch):
    in_virtual_time(monkeypatch)
    assert planned(SWEEP)[1] == [
        "Linux' TCP needs a kernel; `tcpsweep kernel build` makes one, once, in about 5 min on two cores"
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("fixed: {", "fixed: {time: virtual, ", ":5:9: fixed.time: unknown key; Linux always runs in virtual time, so"),
        ("fixed: {", "fixed: {time: real, ", ":5:9: fixed.time: unknown key; Linux always runs in virtual time, so"),
        (
            "fixed: {",
            "time: virtual\nfixed: {",
            ":5:1: time: Linux always runs in virtual time, so remove this key, or write a simulation's length as "
            "`duration` under `fixed`\n",
        ),
    ],
)
def test_a_key_for_the_kind_of_time_is_refused(tmp_path, old, new, said):
    (tmp_path / "sweep.yaml").write_text(SWEEP.replace(old, new))
    document = yaml_document.read(tmp_path / "sweep.yaml")
    assert said in f"{document.mistakes(checked_sweep.expanded(document)[1])}\n"


def test_the_simulator_and_the_schema_have_the_same_names():
    text = (ROOT / "ns3-scenarios/lib/flows/kernel-variants.cc").read_text()
    assert dict(re.findall(r'\{"(Tcp\w+)", "(\w+)"\}', text)) == schema.raw()["kernel_variants"]
