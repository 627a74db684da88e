# SPDX-License-Identifier: MIT
"""Our own variants in sweeps: their names, the reruns after an edit, and messages about broken ones."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.ns3 import variants
from tests.support.networks import commands, read
from tests.support.project import SMALL, edit, step

OWN = SMALL.replace("[TcpNewReno, TcpCubic]", "[TcpNewReno, TcpWestwood, TcpAdaptiveReno+TcpNewReno]")
OWN = OWN.replace("[5ms, 10ms]", "[5ms]")
TABLE = yaml.safe_load(Path(__file__).with_name("variants.yaml").read_text())


def write(project, file, **changed):
    parts = {"name": file, "type": f"ns3::{file}", "parent": "TcpNewReno", "constructor": f".AddConstructor<{file}>()"}
    (project / "ns3-scenarios" / "variants" / f"{file}.cc").write_text(TABLE["source"].format(**parts | changed))


def check(project, text):
    (project / "sweep.yaml").write_text(text)
    return step(project, "check", "sweep.yaml")


def test_a_cell_loads_the_variants_that_it_names_and_no_other():
    for rest, loaded in TABLE["loaded"]:
        (cell,) = commands(read(f"sweep: s\nscenario: dumbbell\nruns: [1]\nfixed: {{variant: {rest}"))
        libraries = [f"{name}-{variants.code_id(name, {})}/lib{name}.so" for name in loaded]
        given = [argument for argument in cell.arguments if argument.startswith("--load=")]
        assert len(given) == bool(loaded)
        assert re.findall(r"[^/,]+/lib\w+\.so", "".join(given)) == libraries
    # A link of a custom topology names a queue disc, too.
    row = {"network.links.a.queue_disc": "DualPi2QueueDisc", "network.links.b.back.queue_disc": "none"}
    assert variants.mentioned(row) == {"DualPi2QueueDisc", "none"}


@pytest.mark.long
def test_an_edit_of_a_variant_reruns_the_cells_that_use_it_and_no_other(project):
    folder = project / "ns3-scenarios" / "variants"
    first = project.run(project.tables(), sweep=OWN)
    assert (first.status, len(first.simulated)) == (0, 6), first.text
    for path in folder.iterdir():
        path.write_text(path.read_text() + "\n// A comment.\n")
    assert project.run("-n", project.tables()).jobs == {}

    edit(folder / "TcpWestwood.cc", "MilliSeconds(500)", "MilliSeconds(200)")
    ran = project.run(project.tables())
    assert len(ran.simulated) == 2
    assert all("-TcpWestwood-" in cell for cell in ran.simulated)
    edit(folder / "TcpWestwood.cc", "MilliSeconds(200)", "MilliSeconds(500)")
    assert set(project.run("-n", project.tables()).jobs) == {"summarise"}

    edit(folder / "bandwidth-estimator.cc", "0.9 *", "0.8 *")
    ran = project.run(project.tables())
    assert len(ran.simulated) == 4  # of the variants that share it

    commands = json.loads((project / "results/sweeps/small/commands.json").read_text())
    cell = next(cell for cell in ran.simulated if "-TcpWestwood-" in cell)
    subprocess.run(commands[cell], cwd=project.folder, shell=True, check=True)
    (made,) = (project / "results" / "cells" / cell).glob("*/run.json")
    records = [json.loads(path.read_text()) for path in (made, project / "by-hand" / cell / "run.json")]
    assert records[0]["events"] == records[1]["events"]


@pytest.mark.long
def test_variants_and_their_attributes_are_known_by_name(project):
    write(project, "TcpUnnamed", constructor="nonsense")  # no sweep names it
    good = 'attributes: {"ns3::TcpAdaptiveReno::Alpha": [5, 10], "ns3::TcpWestwood::FilterTimeConstant": 1s}\n'
    done = check(project, OWN + good)
    assert done.returncode == 0, done.stderr
    done = check(project, TABLE["misnamed"])
    assert done.returncode == 1
    for place, told in TABLE["told"]:
        (line,) = [line for line in done.stderr.splitlines() if line.startswith(f"sweep.yaml:{place}:")]
        assert told in line


@pytest.mark.long
def test_a_variant_that_cannot_be_used_is_told_before_anything_runs(project):
    for name, (changed, _) in TABLE["unusable"].items():
        write(project, name, **changed)
    ran = project.run(sweep=f"sweep: s\nscenario: dumbbell\ngrid: {{variant: [{', '.join(TABLE['unusable'])}]}}\n")
    assert ran.status == 1
    assert ran.jobs == {}
    column = len("grid: {variant: [") + 1
    for name, (_, message) in TABLE["unusable"].items():
        (line,) = [line for line in ran.text.splitlines() if f"sweep.yaml:3:{column}:" in line]
        assert message in line
        column += len(name) + 2
    assert "AddConstructor<Nothing>" in ran.text  # the compiler's words
    assert not (project / "results" / "cells").exists()


@pytest.mark.long
def test_an_include_of_no_file_is_told_at_once(project):
    path = project / "ns3-scenarios" / "variants" / "TcpLost.cc"
    path.write_text('#include "estimator.h"\n' + TABLE["source"])
    sweep = "sweep: s\nscenario: dumbbell\ngrid: {variant: [TcpLost]}\n"
    told = 'ns3-scenarios/variants/TcpLost.cc includes "estimator.h", which is not in ns3-scenarios/variants/ or '
    for said in (check(project, sweep).stderr, project.run("-n", sweep=sweep).text):
        assert told in said
        assert "Traceback" not in said
