# SPDX-License-Identifier: MIT
"""Cells that fail, malicious values, and sweep files that ns-3 refuses."""

import json
import sys
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.ns3 import engine
from tcpsweep.core.plan import cell_commands, checked_sweep, plan
from tcpsweep.core.run import run_cell
from tcpsweep.core.words.user_error import UserError
from tests.support.processes import ran
from tests.support.project import SMALL

REFUSED = yaml.safe_load(Path(__file__).with_name("refused_by_ns3.yaml").read_text(encoding="utf-8"))


@pytest.mark.long
def test_a_failed_cell_stops_no_other_and_is_named(project):
    made = project.run("--until", "compile", sweep=SMALL)
    assert made.status == 0, made.text
    project.refuse("TcpCubic*--delay=10ms*RngRun=2")
    done = project.run()
    assert done.status == 1
    assert len(project.cells()) == 7
    assert "the reason it failed" in done.text
    assert "report: reports/small.html" in done.text
    page = (project / "reports" / "small.html").read_text()
    assert "the reason it failed" in page
    (failed,) = (project / "results" / "failed").iterdir()
    assert failed.name in page
    again = project.run(project.tables())
    assert again.simulated == {failed.name}


HOSTILE = r"""
$(touch PWNED)
`touch PWNED`
x; touch PWNED
x' ; touch PWNED ; '
x" ; touch PWNED ; "
{input}
--out=/tmp/PWNED
|touch PWNED
a\nb
$HOME
""".strip().splitlines()


@pytest.mark.long
def test_no_value_reaches_a_shell(project):
    attribute = "ns3::TcpL4Protocol::RecoveryType"
    sweep = SMALL + f"title: {json.dumps(' '.join(HOSTILE))}\nattributes: {{{attribute}: {json.dumps(HOSTILE)}}}\n"
    done = project.run(project.tables(), sweep=sweep)
    assert done.status == 1
    for number in range(len(HOSTILE)):
        assert f"attributes.{attribute}[{number}]: ns-3 3.44 does not take" in done.text
    assert not list(project.folder.rglob("*PWNED*"))


@pytest.mark.long
def test_hostile_text_goes_through_a_whole_run_as_text(project):
    hostile = "$(touch PWNED) `touch PWNED`; touch PWNED '{input}' <script>PWNED()</script> *"
    sweep = SMALL.replace("repetitions: 2", "runs: [1]").replace("5ms, 10ms", "5ms").replace("TcpNewReno, ", "")
    sweep += f'title: "{hostile}"\n'
    sweep += 'attributes: {"ns3::OnOffApplication::OnTime": "ns3::ConstantRandomVariable[Constant=1]"}\n'
    done = project.run(sweep=sweep)
    assert done.status == 0, done.text
    assert not [path for path in project.folder.rglob("*") if "PWNED" in path.name]
    page = (project / "reports" / "small.html").read_text()
    assert "$(touch PWNED) `touch PWNED`; touch PWNED" in page
    assert "<script>PWNED" not in page
    assert "OnTime=ns3::ConstantRandomVariable[Constant=1]&#39;" in page


def test_a_hostile_value_arrives_at_the_simulator_as_one_argument(here):
    echo = here / "echo.py"
    echo.write_text(
        f"#!{sys.executable}\nimport json, pathlib, sys\n"
        "out = pathlib.Path(sys.argv[-1].removeprefix('--out='))\n"
        "(out / 'checksums.txt').write_text(json.dumps(sys.argv[1:]))\n"
    )
    echo.chmod(0o755)
    hostile = "--x=$(touch PWNED); `touch PWNED` '\" * \\ {wildcards}"
    with run_cell.simulated(run_cell.CellTask("cell", [str(echo), hostile], "parser", None, {})):
        pass
    assert json.dumps(hostile) in (here / "results" / "raw" / "cell" / "checksums.txt").read_text()
    assert not list(here.rglob("PWNED"))


def test_the_command_that_the_report_shows_is_quoted_for_a_shell(here):
    Path("sweep.yaml").write_text(SMALL + 'attributes: {"ns3::ConfigStore::Filename": "a b$(touch PWNED)"}\n')
    cell = cell_commands.cells(checked_sweep.without_ns3("sweep.yaml"), "x", engine.Engine(Path(), "3.44", "y"), dict)[
        0
    ]
    shown = ran("sh", "-c", cell_commands.by_hand(Path("/bin/echo"), cell))
    assert "--ns3::ConfigStore::Filename=a b$(touch PWNED)" in shown.stdout
    assert not list(here.rglob("*PWNED*"))


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["told"][0])
def test_types_that_ns3_lacks_are_reported_by_the_plan(here, case):
    Path("sweep.yaml").write_text(f"sweep: s\nscenario: dumbbell\n{case['text']}\n")
    with pytest.raises(UserError) as stop:
        plan.prepare("sweep.yaml")
    for words in ("sweep.yaml:3:", *case["told"]):
        assert words in str(stop.value)
    assert [path.name for path in here.iterdir()] == ["sweep.yaml"]


def test_the_plans_warnings_come_before_any_cell_runs(project):
    done = project.run(sweep="sweep: s\nscenario: dumbbell\ngrid: {variant: [TcpCubic, TcpCubik]}\n")
    assert done.status == 1
    assert "\nsweep.yaml:3:28: grid.variant[1]: ns-3 3.44 has no congestion control 'TcpCubik'" in done.text
    assert not list((project / "results").glob("raw/*"))


@pytest.mark.long
def test_only_one_sweep_file_and_no_values_beside_it(project):
    (project / "sweep.yaml").write_text(SMALL)
    (project / "other.yaml").write_text(SMALL)
    assert "run one sweep at a time" in project.run("-n", name="sweep.yaml other.yaml").text
    assert "--config has no effect" in project.run("-n", "--config", "seed=3").text
