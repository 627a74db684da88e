# SPDX-License-Identifier: MIT
"""ns-3 built from a release's source writes the same bytes as the installed, unoptimised build of that version.

The installed builds are the wheel of 3.44 and Debian's 3.37. `make test-native NS3_SOURCE=…` names the source. Building
it takes 10 to 20 minutes. The build stays in the folder of sweeps' builds, for sweeps, benchmarks and the next test.
"""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from tcpsweep.core.ns3 import catalogue, engine, programs, simulator_environment

pytestmark = [
    pytest.mark.native,
    pytest.mark.long,
    pytest.mark.skipif(not os.environ.get("NS3_SOURCE"), reason="NS3_SOURCE names no source of ns-3"),
]
# As the user has it, before a fixture names a folder of the tests' own.
BUILD = os.environ.get("TCPSWEEP_BUILD")
CELLS = {
    "NewReno": ["--variant=TcpNewReno", "--flows=3"],
    "CUBIC and BBR": ["--variant=TcpCubic+TcpBbr", "--flows=4", "--bandwidth=20Mbps"],
    "losses": ["--variant=TcpCubic", "--flows=2", "--loss=1e-3"],
    "RED": ["--variant=TcpNewReno", "--flows=4", "--queue_disc=RedQueueDisc"],
    "FqCoDel": ["--variant=TcpBbr+TcpNewReno", "--flows=4", "--queue_disc=FqCoDelQueueDisc"],
    "a variant of ours": ["--variant=TcpAdaptiveReno", "--flows=2", "--loss=1e-4"],
    "captures": ["--variant=TcpVegas", "--pcap=all", "--ascii=true"],
}


@pytest.fixture(scope="module")
def pair():
    """The ns-3 built from the source, and the unoptimised one of the same version."""
    with pytest.MonkeyPatch.context() as patch:
        if BUILD:
            patch.setenv("TCPSWEEP_BUILD", BUILD)
        else:
            patch.delenv("TCPSWEEP_BUILD")
        native = engine.find_source(Path(os.environ["NS3_SOURCE"]).expanduser())
        known = [engine.find()] + [engine.find("/usr")] * Path("/usr/include/ns3").is_dir()
        plain = next((ns3 for ns3 in known if ns3.version == native.version), None)
        if not plain:
            pytest.skip(f"of ns-3 {native.version} there is no other build here; expected a source of 3.37 or 3.44")
        yield native, plain


def simulated(ns3, arguments, out):
    """A hash of each file that a cell's program writes, and its record without values that differ in each run."""
    program = programs.compile_program(ns3, "dumbbell")
    own = ["variants/TcpAdaptiveReno"] if "Adaptive" in arguments[0] else []
    loaded = programs.load([programs.compile_program(ns3, name) for name in own])
    out.mkdir()
    command = [program, *loaded, "--duration=20s", *arguments, "--out=."]
    subprocess.run(command, cwd=out, env=simulator_environment.environment(), check=True)
    record = json.loads((out / "run.json").read_text())
    for key in ("arguments", "cpu_s", "wall_s", "peak_rss_bytes"):
        del record[key]
    record["parameters"].pop("load", None)  # where the variant's library is
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.iterdir()}
    del hashes["run.json"], hashes["checksums.txt"]  # they contain its duration
    return record, hashes


@pytest.mark.parametrize("name", CELLS)
def test_the_native_build_gives_the_same_bytes(pair, tmp_path, name):
    records, hashes = zip(*(simulated(ns3, CELLS[name], tmp_path / str(i)) for i, ns3 in enumerate(pair)), strict=True)
    assert hashes[0] == hashes[1]
    assert records[0] == records[1]
    assert records[0]["events"] > 10_000


def test_both_know_the_same_types(pair):
    of_native, of_plain = (catalogue.types(ns3) for ns3 in pair)
    variants = [set(catalogue.descendants(types, "ns3::TcpCongestionOps")) for types in (of_native, of_plain)]
    assert variants[0] == variants[1]
    known = of_native.keys() & of_plain.keys()
    assert {name: of_native[name] for name in known} == {name: of_plain[name] for name in known}
