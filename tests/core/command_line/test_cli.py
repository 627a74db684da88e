# SPDX-License-Identifier: MIT
"""The command `tcpsweep`: its list of commands, its start, and its messages for users."""

import dataclasses
import errno
import subprocess
import sys

import pytest

from tcpsweep import pipeline
from tcpsweep.__main__ import run as run_command
from tcpsweep.core.command_line import for_people, main
from tcpsweep.core.contact.command import GROUPS
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import commands as archive_commands
from tcpsweep.features.archive import exported_columns
from tcpsweep.registry import commands

COMMANDS = (*for_people.COMMANDS, *pipeline.COMMANDS, *commands.COMMANDS)


def ended(*arguments):
    """How the command ends: its exit status, or its final message."""
    with pytest.raises(SystemExit) as end:
        run_command(arguments)
    return end.value.code


def test_no_command_prints_the_help_with_the_commands_in_groups(capsys):
    for arguments in ([], ["--help"]):
        assert ended(*arguments) in (0, None)
        printed = capsys.readouterr().out
        for command in (command for command in COMMANDS if command.group):
            assert f"{command.name:8} {command.does}" in printed
            assert command.group in GROUPS
            assert 1 <= len(command.examples) <= 2
        assert not any(f"  {command.name} " in printed for command in COMMANDS if not command.group)
        assert "tcpsweep demo" in printed


MISSPELT = {
    "swep x.yaml": "tcpsweep: no command 'swep'; did you mean 'sweep'?",
    "new x.yaml --varaints cubic": "tcpsweep new: unknown option --varaints; did you mean '--variants'?",
    "compare a": "tcpsweep compare: the following arguments are required: b",
}


@pytest.mark.parametrize("given", MISSPELT)
def test_a_misspelt_command_or_option_gets_one_suggestion(given, capsys):
    assert ended(*given.split()) == 2
    assert capsys.readouterr().err.splitlines()[0] == MISSPELT[given]


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_each_command_says_what_it_takes(command, capsys):
    assert ended(command, "--help") == 0
    assert capsys.readouterr().out.startswith(f"usage: tcpsweep {command} ")


def test_the_start_loads_none_of_what_the_commands_need():
    heavy = {"polars", "yaml", "jsonschema", "jinja2", "scipy", "snakemake"}
    code = "import sys, tcpsweep.__main__"
    code += f"; sys.exit(str(sorted({heavy} & sys.modules.keys())))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "[]\n"


@pytest.mark.usefixtures("here")
def test_an_error_for_people_or_of_the_system_is_one_message_and_any_other_a_traceback(monkeypatch):
    assert "nosuch.yaml" in ended("check", "nosuch.yaml")
    assert ended("cells", "nosuch.json") == "nosuch.json: No such file or directory"
    command = dataclasses.replace(for_people.COMMANDS[0], run=int, arguments=[])
    with pytest.raises(TypeError):
        main.main([command], [command.name])


def test_a_full_disk_is_one_message_with_advice(monkeypatch):
    def run(_):
        raise OSError(errno.ENOSPC, "No space left on device")  # as `write` raises it, which knows no name

    command = dataclasses.replace(for_people.COMMANDS[0], run=run, arguments=[])
    told = (
        "No space left on device; free some space (`tcpsweep prune` removes unneeded files), and run the command again"
    )
    with pytest.raises(SystemExit) as end:
        main.main([command], [command.name])
    assert end.value.code == told


def test_the_programs_beside_this_python_come_first(monkeypatch):
    own = str(main.Path(sys.executable).parent)
    monkeypatch.setenv("PATH", f"/usr/bin:{own}:/bin")
    for _ in range(2):
        main.own_programs_first()
        assert main.os.environ["PATH"] == f"{own}:/usr/bin:/bin"


def test_each_exported_table_can_be_chosen():
    # The table metrics comes with the others.
    assert [*archive_commands.TABLES, "metrics"] == list(exported_columns.TABLES)


# --- a processor without the instructions that polars needs ---

CPUINFO = "processor\t: 0\nmodel name\t: {}\nflags\t\t: fpu sse4_2 {}\n\nprocessor\t: 1\n"
FLAGS = [
    (CPUINFO.format("Nehalem", "popcnt"), ["avx2", "bmi2", "fma"]),
    (CPUINFO.format("Haswell", "fma bmi1 avx2 bmi2"), []),
    ("processor\t: 0\nFeatures\t: fp asimd\n", []),
]


def test_the_missing_instructions_are_those_that_cpuinfo_lacks(tmp_path):
    file = tmp_path / "cpuinfo"
    assert main._missing_instructions(main._processor_flags(file)) == []
    for text, missing in FLAGS:
        file.write_text(text)
        assert main._missing_instructions(main._processor_flags(file)) == missing


def test_an_old_processor_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(main.platform, "machine", lambda: "x86_64")
    monkeypatch.delenv("POLARS_SKIP_CPU_CHECK", raising=False)
    monkeypatch.setattr(main, "_processor_flags", lambda cpuinfo: ["fma"])
    with pytest.raises(UserError, match=r"this processor lacks avx2, bmi2, which polars needs.*`-cpu host` in QEMU"):
        main.check_processor()
    monkeypatch.setenv("POLARS_SKIP_CPU_CHECK", "1")
    main.check_processor()
