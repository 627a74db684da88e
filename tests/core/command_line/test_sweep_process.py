# SPDX-License-Identifier: MIT
"""A sweep in a process of its own: it ends with the command that started it, and runs no code of the working folder."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tcpsweep.core.campaigns import sweep_process
from tests.support.processes import ends_soon
from tests.support.tools import PATIENCE_S

SWEEP = """\
sweep: s
scenario: dumbbell
repetitions: 200
pages: false
fixed: {variant: TcpCubic, bandwidth: 10Mbps, duration: 100s, warmup: 10s}
"""
RUN = "import pathlib, tcpsweep.core.campaigns.sweep_process as own; own.run(pathlib.Path('s.yaml'), ())"


def processes_in(folder):
    """The processes whose working folder this is."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cwd").readlink() == folder:
                found.append(int(process.name))
    return found


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_sweep_ends_with_the_command_that_started_it(number, dumbbell, build_folder, tmp_path):
    (tmp_path / "s.yaml").write_text(SWEEP)
    given = {"cwd": tmp_path, "env": os.environ | {"TCPSWEEP_BUILD": str(build_folder)}}
    output = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-P", "-c", RUN], **given, **output)
    ends_soon(lambda: not list(tmp_path.glob("results/raw/.*")))
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert ("KeyboardInterrupt" in said) == (number == signal.SIGTERM)
    ends_soon(lambda: processes_in(tmp_path))
    assert not (tmp_path / "reports").exists()


def test_a_module_in_the_working_folder_is_not_imported(here):
    Path("yaml.py").write_text("raise SystemExit('a stranger')")
    with Path("said").open("w") as said:
        assert sweep_process.run(Path("none.yaml"), (), said, said) == 1
    assert "none.yaml" in Path("said").read_text()
    assert "stranger" not in Path("said").read_text()
