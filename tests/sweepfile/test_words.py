# SPDX-License-Identifier: MIT
"""Words that users type: the field's names, percentages, and values in the wrong place."""

import subprocess
import sys

import pytest

from tcpsweep.ns3 import catalogue, engine
from tcpsweep.plan import checked_sweep
from tcpsweep.sweepfile.checks import ns3_check
from tcpsweep.sweepfile.document import file_names, yaml_document
from tcpsweep.words import field_names, quantity_forms
from tests.support.sweep_texts import document_of, ids, in_ns3, mistakes, sweep_of
from tests.support.tools import ROOT

HEAD = "sweep: s\nscenario: dumbbell\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("grid: {variant: [cubic, bbr, cubic+bbr]}", "grid: {variant: [TcpCubic, TcpBbr, TcpCubic+TcpBbr]}"),
        (
            "fixed: {queue_disc: fq_codel, queue: 100p}",
            "fixed: {queue_disc: FqCoDelQueueDisc, queue: 100p}",
        ),
        ("fixed: {queue_disc: fq-codel, queue: 100p}", "fixed: {queue_disc: FqCoDelQueueDisc, queue: 100p}"),
        ("grid: {loss: [0, 1%, 0.5 %]}", "grid: {loss: [0, 0.01, 0.005]}"),
        (
            "grid: {variant: [newreno, vegas]}\nbaseline: vegas\nexclude: {variant: newreno}",
            "grid: {variant: [TcpNewReno, TcpVegas]}\nbaseline: TcpVegas\nexclude: {variant: TcpNewReno}",
        ),
    ],
)
def test_the_fields_names_lead_to_the_same_cells(typed, meant):
    assert ids(typed) == ids(meant)
    assert sweep_of(typed).baseline == sweep_of(meant).baseline


def test_every_name_of_the_field_is_one_that_ns3_has():
    types = catalogue.types(engine.find())
    known = {
        name.removeprefix("ns3::")
        for kind in ("variant", "queue-disc")
        for name in catalogue.descendants(types, ns3_check.KINDS[kind][0])
    }
    lacking = {*field_names.VARIANTS.values(), *field_names.DISCS.values()} - known
    assert lacking == {"DualPi2QueueDisc", "TcpPrague", "TcpWestwood"}  # ours, in ns3-scenarios/variants
    assert all(name.islower() for name in field_names.VARIANTS | field_names.DISCS)


def test_the_fields_names_are_taken_by_expectations_too():
    text = "grid: {variant: [cubic, bbr]}\nexpect: goodput_bps of bbr >= 0 where loss < 1%"
    sweep, problems = checked_sweep.expanded(document_of(text))
    assert problems == []
    assert sweep.expectations[0].variant == "TcpBbr"


@pytest.mark.parametrize("name", ["reno", "cubic+reno"])
def test_reno_is_asked_back_with_the_names_to_write(name):
    (told,) = mistakes(f"grid: {{variant: [{name}]}}")
    assert "'reno': ns-3 has two" in told
    assert "TcpLinuxReno" in told
    assert "TcpNewReno" in told
    assert in_ns3(f"grid: {{variant: [{name}]}}") == []  # once


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("variant: [TcpReno]", ["no congestion control 'TcpReno': ns-3 has two; write TcpLinuxReno", "TcpNewReno"]),
        ("variant: [BBR]", ["did you mean 'TcpBbr'?"]),
        ("variant: [Cubic]", ["did you mean 'TcpCubic'?"]),
        ("variant: [fq_codel]", ["write `queue_disc: FqCoDelQueueDisc`"]),
        ("queue_disc: [FQ_CODEL]", ["did you mean 'FqCoDelQueueDisc'?"]),
        ("queue_disc: [cubic]", ["write `variant: TcpCubic`"]),
        ("queue_disc: [fq_coddel]", ["did you mean 'fq_codel'?"]),
        ("queue_disc: [DropTail]", ["write none for a drop-tail queue"]),
    ],
)
def test_other_writings_are_answered_with_the_name_to_write(text, words):
    (told,) = in_ns3(f"grid: {{{text}}}")
    for word in words:
        assert word in told


def test_a_long_list_of_names_stands_once_in_a_file():
    told = in_ns3("grid: {variant: [TcpOne, TcpTwo, TcpCubik]}\nbaseline: TcpOne")
    assert [line.count("; it has TcpAdaptiveReno, TcpBbr, ") for line in told] == [1, 0, 0]
    assert told[2].endswith("has no congestion control 'TcpCubik'; did you mean 'TcpCubic'?")
    told = mistakes("fixed: {one: 1, two: 2}")
    assert [line.count("expected one of variant, ") for line in told] == [1, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fixed: {flows: [2, 4]}", "several values make an axis: move `flows` to `grid`"),
        ("repetitions: [1, 2, 3]", "write `runs` instead of `repetitions`"),
        ("grid: {flows: 2}", "write one value under `fixed`: `flows: 2`"),
        ("fixed: {repetitions: 3}", "write it next to `fixed`"),
        ("fixed: {rtt: 40ms}", "write `delay`"),
        ("fixed: {cc: TcpCubic}", "write `variant`"),
        ("fixed: {loss: 2}", "did you mean '2%'?"),
        ("fixed: {loss: much}", "a share from 0 to 1, such as 0.01 or 1%"),
    ],
)
def test_a_value_at_another_place_is_told_where_it_belongs(text, words):
    (told,) = mistakes(text)
    assert words in told


def test_an_unknown_scenario_points_to_pages_that_are_there():
    (told,) = mistakes("", "internet")
    for page in ("docs/scenarios.md", "docs/not-for.md"):
        assert page in told
        assert (ROOT / page).is_file()
    assert "## Add a scenario" in (ROOT / "docs/scenarios.md").read_text()


def test_shares_are_exact():
    assert [quantity_forms.share(text) for text in ("1%", "0.1%", "100%", "1e-3", 1.0, 0)] == [
        0.01,
        0.001,
        1,
        0.001,
        1,
        0,
    ]


def test_a_file_that_is_not_there_is_answered_with_the_nearest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert file_names.nearest_sweep_file("any.yaml") == ""
    (tmp_path / "my-sweep.yaml").write_text("sweep: my-sweep\n")
    (tmp_path / ".other.yaml").write_text("sweep: hidden\n")
    (tmp_path / "others.yaml").write_text("a: 1\n")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "lossy-link.yaml").write_text("sweep: lossy-link\n")
    assert file_names.nearest_sweep_file("mysweep.yml") == "; did you mean my-sweep.yaml?"
    assert file_names.nearest_sweep_file("config/losy-link.yaml") == "; did you mean config/lossy-link.yaml?"
    assert file_names.nearest_sweep_file("zzz.yaml") == "; sweep files there are my-sweep.yaml, config/lossy-link.yaml"
    with pytest.raises(yaml_document.Mistakes, match=r"did you mean my-sweep\.yaml\?"):
        yaml_document.read("my-swep.yaml")


def test_a_mistake_is_told_without_waiting_for_a_program_that_asks_ns3(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "empty"))
    (tmp_path / "my.yaml").write_text(f"{HEAD}fixed: {{flows: none, variant: TcpCubik}}")
    with pytest.raises(yaml_document.Mistakes) as caught:
        checked_sweep.read(tmp_path / "my.yaml", ask_ns3=True)
    assert "fixed.flows" in str(caught.value)
    assert not list((tmp_path / "empty").glob("*/inspect*"))


def test_the_check_without_ns3_needs_what_the_setup_installs_first():
    listed = next(line for line in (ROOT / "envs/setup.sh").read_text().splitlines() if line.startswith("READS="))
    wanted = set(listed.partition("'")[2].rstrip("'").split("|"))
    code = (
        "import importlib.metadata as m, sys\nfrom tcpsweep.command_line import main\n"
        "main.main(['check', '--without-ns3', 'config/config.yaml'])\n"
        "owners = m.packages_distributions()\n"
        "print({owner.lower().replace('_', '-') for name in sys.modules for owner in owners.get(name, [])})"
    )
    command = [sys.executable, "-S", "-c", f"import site; site.main()\n{code}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = eval(done.stdout) - {"tcpsweep", "setuptools", "idna"}  # idna: a format's, where it is installed
    assert loaded <= wanted
