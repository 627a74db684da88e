# SPDX-License-Identifier: MIT
"""The command `tcpsweep`: its table of commands, what its start costs, and errors that are for people."""

import importlib
import subprocess
import sys

import pytest

from tcpsweep import cli
from tcpsweep.command_line import for_people, steps
from tcpsweep.commands import run_sweep

COMMANDS = [*for_people.COMMANDS, *steps.COMMANDS]


def test_the_help_lists_every_command_with_what_it_does(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    told = capsys.readouterr().out
    for command in COMMANDS:
        assert f"{command.name:10} {command.does}" in told


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_each_command_says_what_it_takes(command, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main([command.name, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: tcpsweep {command.name} ")


def test_the_start_loads_none_of_what_the_commands_need():
    heavy = {"polars", "yaml", "jsonschema", "jinja2", "scipy", "snakemake"}
    code = f"import sys; from tcpsweep import cli; cli._parser(); sys.exit(str(sorted({heavy} & sys.modules.keys())))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "[]\n"


def test_the_errors_for_people_are_there():
    for module, name in cli._FOR_PEOPLE:
        assert issubclass(getattr(importlib.import_module(module), name), Exception)


def test_an_error_for_people_is_one_message_and_any_other_a_traceback(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        cli.main(["check", "nosuch.yaml"])
    assert "nosuch.yaml" in end.value.code
    with pytest.raises(FileNotFoundError):
        cli.main(["cells", "nosuch.json"])


def test_the_programs_beside_this_python_come_first(monkeypatch):
    own = str(cli.Path(sys.executable).parent)
    monkeypatch.setenv("PATH", f"/usr/bin:{own}:/bin")
    for _ in range(2):
        cli.own_programs_first()
        assert cli.os.environ["PATH"] == f"{own}:/usr/bin:/bin"


RECORD = """
import json, sys
from tcpsweep.commands import lean_snakemake
lean_snakemake.cli(has_database={has_database})
from snakemake.persistence import MetadataRecord
record = MetadataRecord(rule="a", input=["b"], params=[1, "c"], starttime=1.5, incomplete=True)
record.endtime = 2
same = MetadataRecord.model_validate(record.model_dump()) == record
print(json.dumps([same, *record.items(), *MetadataRecord().items()]))
print("sqlalchemy" in sys.modules)
"""


def test_without_a_database_snakemake_keeps_the_same_records():
    found = {}
    for has_database in (True, False):
        command = [sys.executable, "-c", RECORD.format(has_database=has_database)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        *found[has_database], is_loaded = done.stdout.splitlines()
        assert is_loaded == str(has_database)
    assert found[True] == found[False]


@pytest.mark.parametrize(
    ("options", "may"),
    [
        ([], False),
        (["-n", "-q"], False),
        (["--executor=slurm"], True),
        (["-e", "slurm"], True),
        (["--workflow-profile", "profiles/slurm"], True),
        (["--profile", "mine"], True),
        (["--report", "page.html"], True),
        (["--help"], True),
    ],
)
def test_plugins_are_left_out_unless_an_option_may_name_one(options, may, monkeypatch):
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    assert run_sweep.may_name_plugins(options) == may
    monkeypatch.setenv("SNAKEMAKE_PROFILE", "mine")
    assert run_sweep.may_name_plugins(options)
