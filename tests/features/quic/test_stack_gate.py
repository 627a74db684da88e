# SPDX-License-Identifier: MIT
"""The gate with two versions of a QUIC stack: a smaller window of flow control is found."""

import shutil
from pathlib import Path

import pytest

from tcpsweep.__main__ import run as run_command
from tcpsweep.features.quic import recipes
from tests.support.project import edit
from tests.support.tools import ROOT, lacking

pytestmark = [pytest.mark.native, pytest.mark.quic]


def test_a_version_with_another_window_is_found_and_an_edited_comment_is_not(
    dumbbell, build_folder, tmp_path, monkeypatch, capfd
):
    try:
        recipes.recipe("ngtcp2")
    except recipes.NoStack:
        lacking("libngtcp2-dev")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    for folder in ("base", "head"):
        shutil.copytree(ROOT / "quic-stacks" / "ngtcp2", tmp_path / folder / "ngtcp2")
    shutil.copy(Path(__file__).with_name("short.yaml"), tmp_path)

    def gate():
        with pytest.raises(SystemExit) as ended:
            run_command(["gate", "base/ngtcp2", "head/ngtcp2", "--sweep", "short.yaml"])
        return ended.value.code, capfd.readouterr().out

    source = tmp_path / "head" / "ngtcp2" / "src" / "connection.c"
    edit(source, '#include "end.h"', '#include "end.h" // the ends')
    status, said = gate()
    assert (status, "Nothing changed: all 6 simulations are identical" in said) == (0, True)
    window = "initial_max_stream_data_uni = "
    edit(source, f"{window}2 * end->settings.window_bytes", f"{window}12000")
    status, said = gate()
    assert (status, "**Changed: goodput −" in said) == (4, True)
