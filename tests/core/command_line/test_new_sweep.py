# SPDX-License-Identifier: MIT
"""`tcpsweep new`: a sweep file to start from."""

import pytest

from tcpsweep.core.command_line.commands import new_sweep
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words.user_error import UserError


@pytest.mark.parametrize("scenario", [None, "chain", "single-link", "wifi-dumbbell", "lrwpan-dumbbell", "network"])
def test_a_new_sweep_file_is_right_as_it_is(scenario, tmp_path):
    file = tmp_path / "my sweep.yaml"
    said = new_sweep.write(file, scenario, ["cubic"])
    _, sweep, _ = checked_sweep.read(file)
    assert (sweep.name, sweep.scenario) == ("my-sweep", scenario or "dumbbell")
    assert str(file) in said
    assert file.read_text().startswith(f"# yaml-language-server: $schema={new_sweep.SCHEMA.as_uri()}\n")


@pytest.mark.parametrize("scenario", ["dumbbell", "chain", "wifi-dumbbell"])
def test_the_keys_to_try_are_right_without_their_signs(scenario, tmp_path):
    file = tmp_path / "tried.yaml"
    new_sweep.write(file, scenario, [])
    given, _, tried = file.read_text().partition("#\n# baseline")
    tried = "baseline" + tried.replace("\n# ", "\n")
    file.write_text(f"{given}{tried}")
    with pytest.raises(yaml_document.Mistakes, match="repetitions"):  # precision replaces it
        checked_sweep.read(file)
    file.write_text(f"{given}{tried}".replace("precision:", "# precision:"))
    _, sweep, _ = checked_sweep.read(file)
    assert sweep.baseline == "TcpCubic"


def test_what_is_wrong_is_said_and_nothing_written(tmp_path):
    file = tmp_path / "a.yaml"
    with pytest.raises(yaml_document.Mistakes, match="did you mean 'TcpCubic'"):
        new_sweep.write(file, None, ["cubik"])
    with pytest.raises(UserError, match="did you mean 'wifi-dumbbell'"):
        new_sweep.write(file, "wifi", [])
    with pytest.raises(UserError, match=r"a\.yaml"):
        new_sweep.write(tmp_path / "a.txt", None, [])
    assert not file.exists()
    file.touch()
    with pytest.raises(UserError, match="already exists"):
        new_sweep.write(file, None, [])
