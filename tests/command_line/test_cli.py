# SPDX-License-Identifier: MIT
"""The command `tcpsweep`: its list of commands, its start time, and its messages for users."""

import subprocess
import sys

import pytest

from tcpsweep.command_line import for_people, main, steps

COMMANDS = [*for_people.COMMANDS, *steps.COMMANDS]


def test_no_command_prints_the_help_with_the_commands_in_groups(capsys):
    for arguments in ([], ["--help"]):
        with pytest.raises(SystemExit) as end:
            main.main(arguments)
        assert end.value.code in (0, None)
        printed = capsys.readouterr().out
        for command in for_people.COMMANDS:
            assert f"{command.name:8} {command.does}" in printed
            assert command.group in for_people.GROUPS
            assert 1 <= len(command.examples) <= 2
        assert not any(f"  {command.name} " in printed for command in steps.COMMANDS)
        assert "tcpsweep demo" in printed


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["swep", "x.yaml"], "tcpsweep: no command 'swep'; did you mean 'sweep'?"),
        (
            ["new", "x.yaml", "--varaints", "cubic"],
            "tcpsweep new: unknown option --varaints; did you mean '--variants'?",
        ),
        (["compare", "a"], "tcpsweep compare: the following arguments are required: b"),
    ],
)
def test_a_misspelt_command_or_option_gets_one_suggestion(arguments, printed, capsys):
    with pytest.raises(SystemExit) as end:
        main.main(arguments)
    assert end.value.code == 2
    assert capsys.readouterr().err.splitlines()[0] == printed


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
