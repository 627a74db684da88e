# SPDX-License-Identifier: MIT
"""The command `tcpsweep`: its table of commands, what its start costs, and errors that are for people."""

import subprocess
import sys

import pytest

from tcpsweep.command_line import for_people, main, steps

COMMANDS = [*for_people.COMMANDS, *steps.COMMANDS]


def test_the_help_lists_every_command_with_what_it_does(capsys):
    with pytest.raises(SystemExit) as end:
        main.main(["--help"])
    assert end.value.code == 0
    told = capsys.readouterr().out
    for command in COMMANDS:
        assert f"{command.name:10} {command.does}" in told


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_each_command_says_what_it_takes(command, capsys):
    with pytest.raises(SystemExit) as end:
        main.main([command.name, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: tcpsweep {command.name} ")


def test_the_start_loads_none_of_what_the_commands_need():
    heavy = {"polars", "yaml", "jsonschema", "jinja2", "scipy", "snakemake"}
    code = "import sys; from tcpsweep.command_line import main; main._parser()"
    code += f"; sys.exit(str(sorted({heavy} & sys.modules.keys())))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "[]\n"


def test_an_error_for_people_is_one_message_and_any_other_a_traceback(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main.main(["check", "nosuch.yaml"])
    assert "nosuch.yaml" in end.value.code
    with pytest.raises(FileNotFoundError):
        main.main(["cells", "nosuch.json"])


def test_the_programs_beside_this_python_come_first(monkeypatch):
    own = str(main.Path(sys.executable).parent)
    monkeypatch.setenv("PATH", f"/usr/bin:{own}:/bin")
    for _ in range(2):
        main.own_programs_first()
        assert main.os.environ["PATH"] == f"{own}:/usr/bin:/bin"
