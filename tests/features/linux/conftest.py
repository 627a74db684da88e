# SPDX-License-Identifier: MIT
"""Cells with a kernel that the user has built. Without one, the tests fail in CI and are skipped elsewhere."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.linux import kernel as kernels
from tcpsweep.features.linux import kernel_build, kernel_check, virtual_time
from tcpsweep.features.linux.kernel_build import Built, Found
from tests.support.tools import unbuilt

BUILT = kernel_build.all_built()  # in the user's own folder; tests have another one
CONTROLS, SETTINGS = ["reno", "cubic", "bbr"], {"net.ipv4.tcp_sack": "1", "net.ipv4.tcp_frto": "2"}
IN_VIRTUAL_TIME = ("--stack=linux", "--bandwidth=4Mbps", "--delay=20ms")


def messages(name):
    """Changes of sweep files, and what planning says of them."""
    return yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text())[name]


def sweep_text(name):
    return (Path(__file__).parent / "sweeps" / f"{name}.yaml").read_text()


def changed(case):
    """The sweep file that a case of `messages` is about."""
    text = sweep_text(case["of"])
    for old, new in case.get("change", {}).items():
        assert old in text
        text = text.replace(old, new, 1)
    return text


def in_virtual_time(monkeypatch, *releases):
    """Plan as if these kernels had been built."""
    found = [Built(name, name, "", 1.0, 1, CONTROLS, SETTINGS) for name in releases]
    monkeypatch.setattr(kernels, "built", lambda: tuple(Found(Path(each.release), each) for each in found))


@pytest.fixture
def read_plan(tmp_path, monkeypatch):
    """Plans a sweep file where a kernel was built: its sweep, and what kernels do not allow."""
    in_virtual_time(monkeypatch, "6.12.1")

    def read_plan(text):
        (tmp_path / "sweep.yaml").write_text(text)
        document = yaml_document.read(tmp_path / "sweep.yaml")
        sweep, problems = checked_sweep.expanded(document)
        assert problems == []
        return sweep, kernel_check.problems(SweepFile(document.data), sweep)

    return read_plan


@pytest.fixture(scope="module")
def kernel():
    """A kernel that the user has built."""
    if not BUILT:
        unbuilt()
    return BUILT[-1]


@pytest.fixture
def with_kernel(kernel, dumbbell, build_folder, tmp_path, monkeypatch):
    """Let tcpsweep's commands find the programs of the other tests, and the kernel in virtual time."""
    folder = tmp_path / "build"
    folder.mkdir()
    for name, place in {each.name: each for each in (*build_folder.iterdir(), kernel.folder)}.items():
        (folder / name).symlink_to(place)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(folder))


@pytest.fixture
def simulated(kernel, dumbbell, tmp_path):
    """The folder of a simulation in virtual time; always the same path, since `run.json` has it."""
    made = []

    def simulated(*options, run=1, kernel=kernel, program=dumbbell, common=IN_VIRTUAL_TIME, fails=False):
        out = tmp_path / "out"
        out.mkdir()
        arguments = (*common, *options, f"--kernel={kernel.built.release}", "--RngSeed=1", f"--RngRun={run}")
        seed = virtual_time.seed("1", str(run))
        status = virtual_time.run(kernel.folder, [str(program), *arguments, f"--out={out}"], out, seed)
        assert bool(status) == fails, (out / "log.txt").read_text()
        made.append(out.rename(tmp_path / f"out-{len(made)}"))
        return made[-1]

    return simulated


@pytest.fixture
def digests():
    return lambda folder: {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())
    }


@pytest.fixture
def busy():
    """Processes that never rest, more than there are cores."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    yield
    for each in others:
        each.kill()
        each.wait()
