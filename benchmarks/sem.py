# SPDX-License-Identifier: MIT
"""Compare a grid with SEM (https://github.com/signetlabdei/sem), from the start to the table, on the same ns-3.

SEM has a permanent folder: SEM_FOLDER, by default tcpsweep/sem in the user's cache. It gets a Python with SEM from the
registry, and an ns-3 3.37. That ns-3 is built from
NS3_SOURCE, a folder or a tarball, or from Debian's source package if apt has it and NS3_SOURCE is not empty. The first
time takes ten minutes. ns-3's own build compiles the dumbbell as a
program in `scratch/`. tcpsweep uses the same libraries through `ns3: {prefix: …}`, and makes Parquet files of all
traces, audits, and tables.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import harness

VERSION = "0.3.9.1"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
FOLDER = Path(os.environ.get("SEM_FOLDER") or CACHE / "tcpsweep" / "sem").expanduser()
MODULES = "applications,flow-monitor,internet,point-to-point,traffic-control"  # all would take five times longer
BUILD = Path("build") / "optimized"  # SEM looks here
GRID = {
    "variant": ["TcpNewReno", "TcpCubic", "TcpVegas", "TcpVeno", "TcpIllinois"],
    "bandwidth": ["1Mbps", "2Mbps"],
    "delay": ["10ms", "40ms"],
    "loss": [0, 0.001, 0.002, 0.005, 0.01],
}
# Parameters that a sweep passes although its file does not set them.
FIXED = {"start_jitter": "100ms"}
CAMPAIGN = """\
import json, re, shutil, subprocess, sys
import xml.etree.ElementTree as ElementTree
import sem

tree, grid, folder, table = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3], sys.argv[4]


def options(runner):
    # From the program's help. SEM would change 1448 to 1448.0, which the program refuses, and pass None for options
    # without a default.
    command = [runner.script_executable, "--PrintHelp"]
    said = subprocess.check_output(command, env=runner.environment, cwd=runner.path, text=True)
    return dict(re.findall(r"^ +--(\\w+): .*\\[([^]]*)\\]$", said, re.MULTILINE)) | {"out": "."}


@sem.utils.only_load_some_files(["flow.xml"])
def received(result):
    flows = ElementTree.fromstring(result["output"]["flow.xml"]).findall("./FlowStats/Flow")
    return [sum(int(flow.get("rxBytes")) for flow in flows)]


sem.parallelrunner.ParallelRunner.get_available_parameters = options
shutil.rmtree(folder, ignore_errors=True)
campaign = sem.CampaignManager.new(
    tree, "dumbbell", folder, runner_type="ParallelRunner", overwrite=True, check_repo=False,
    skip_configuration=True, max_parallel_processes=2,
)
campaign.run_missing_simulations(grid)
campaign.get_results_as_dataframe(received, ["rx_bytes"]).to_csv(table)
"""
# A cell's total received bytes, including ACKs, from its Parquet files.
RECEIVED = """\
import polars, tcpsweep

flows = tcpsweep.open("beside-sem").of_cells("flows").group_by("cell")
total = flows.agg(rx_bytes=(polars.col("rx_bytes") + polars.col("ack_rx_bytes")).sum())
print(*total.collect()["rx_bytes"])
"""
SCRATCH = """\
build_exec(
  EXECNAME dumbbell
  EXECNAME_PREFIX scratch_dumbbell_
  SOURCE_FILES {sources}
  LIBRARIES_TO_LINK "${{ns3-libs}}" "${{ns3-contrib-libs}}"
  EXECUTABLE_DIRECTORY_PATH ${{CMAKE_OUTPUT_DIRECTORY}}/scratch/dumbbell/
)
target_include_directories(scratch_dumbbell_dumbbell PRIVATE ${{PROJECT_SOURCE_DIR}}/tcpsweep/lib)
target_compile_definitions(scratch_dumbbell_dumbbell PRIVATE NS3_VERSION="{version}")
"""


@dataclass(frozen=True)
class Size:
    """The runs of each of 100 combinations, the simulated seconds of a run, and the number of rounds."""

    runs: int
    duration_s: int
    rounds: int


SIZES = {"full": Size(5, 20, 3), "quick": Size(1, 20, 1), "tiny": Size(1, 2, 1)}


def minutes(size):
    """The approximate duration after SEM's set-up. A cell of 20 s takes 0.25 s of CPU time."""
    return size.rounds * 2 * size.runs * 100 * (size.duration_s * 0.0125 + 0.05) / 2 / 60 if _source() else 0


def measure(size, scratch):
    """Yield the ratio of SEM's time to tcpsweep's."""
    if not _source():
        harness.say("  skipped: NS3_SOURCE names no source of ns-3 3.37, and apt knows no source package ns3")
        return
    python, tree = set_up()
    (scratch / "campaign.py").write_text(CAMPAIGN, encoding="utf-8")
    grid = GRID | FIXED | {"duration": f"{size.duration_s}s", "RngRun": list(range(1, size.runs + 1))}
    table = scratch / "table.csv"
    campaign = [python, scratch / "campaign.py", tree, json.dumps(grid), scratch / "campaign", table]
    project = harness.Project(scratch / "project")
    fixed = FIXED | {"duration": f"{size.duration_s}s", "warmup": "1s"}
    sweep = {"sweep": "beside-sem", "scenario": "dumbbell", "ns3": {"prefix": str(tree / BUILD)}}
    sweep |= {"grid": GRID, "repetitions": size.runs, "fixed": fixed}
    (project / "sweep.yaml").write_text(json.dumps(sweep), encoding="utf-8")  # JSON is also YAML
    harness.cost(*project.sweep("--until", "compile"))
    project.forget()
    received = []

    def forget():
        if (project / "results").is_dir():
            received[:] = _received(project)
        project.forget()

    sides = {"SEM": [campaign, scratch], "tcpsweep": project.sweep("--until", "summarise")}
    costs = harness.interleaved(sides, size.rounds, forget)
    cells = size.runs * 100
    what = f"sem: {cells} cells of {size.duration_s} s"
    for name, words, least in (("wall_s", "wall time", 1.0), ("cpu_s", "CPU time", None)):
        ratios = harness.ratios(costs["SEM"], costs["tcpsweep"], name)
        yield harness.judged(f"{what}, SEM / tcpsweep, {words}", ratios, least=least)
    with table.open(encoding="utf-8", newline="") as file:
        of_sem = Counter(int(row["rx_bytes"]) for row in csv.DictReader(file))
    same = (of_sem & Counter(received)).total()
    yield harness.judged(f"{what}, same number of bytes received", [same], least=cells, digits=0)


def _received(project):
    """The bytes that all flows of each cell received."""
    command = [sys.executable, "-c", RECEIVED]
    done = subprocess.run(
        command, cwd=project.folder, env=harness.environment(), stdout=subprocess.PIPE, text=True, check=True
    )
    return [int(word) for word in done.stdout.split()]


def _source():
    """The origin of ns-3's source: a path, "built", "apt", or None if NS3_SOURCE is empty."""
    if "NS3_SOURCE" in os.environ:
        return os.environ["NS3_SOURCE"]
    if (FOLDER / "ns-3" / BUILD / "lib").is_dir():
        return "built"
    asked = shutil.which("apt-get") and subprocess.run(
        ["apt-get", "source", "--print-uris", "ns3"], capture_output=True, cwd="/", check=False
    )
    return "apt" if asked and asked.returncode == 0 else ""


def set_up():
    """Set up SEM, unless that is done. Returns its Python and the ns-3 tree.

    Raises
    ------
    harness.Failed
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    python = FOLDER / "python" / "bin" / "python"
    if not (FOLDER / "python" / "complete").is_file():
        _run(sys.executable, "-m", "venv", FOLDER / "python")
        _run(python, "-m", "pip", "install", "--quiet", f"sem=={VERSION}")
        (FOLDER / "python" / "complete").touch()
    tree = FOLDER / "ns-3"
    if not (tree / "ns3").is_file():
        _unpack(_source(), tree)
    _write_scenario(tree)
    if not (tree / BUILD / "lib").is_dir():
        profile = ["--build-profile=optimized", f"--out={BUILD}", "--disable-werror", "--disable-gtk"]
        _run("./ns3", "configure", *profile, f"--enable-modules={MODULES}", folder=tree)
    _run("./ns3", "build", folder=tree)
    # Debian's library names have no version. These files state it, but only an installation would have them.
    shutil.copytree(tree / "cmake-cache" / "pkgconfig", tree / BUILD / "lib" / "pkgconfig", dirs_exist_ok=True)
    return python, tree


def _unpack(source, tree):
    """Unpack ns-3's source into a folder, which appears when it is complete."""
    part = FOLDER / "part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    if source == "apt":
        _run("apt-get", "source", "--quiet", "--only-source", "ns3", folder=part)
    elif not Path(source).expanduser().exists():
        raise harness.Failed(f"NS3_SOURCE: there is no {source}")
    elif Path(source).expanduser().is_dir():
        shutil.copytree(Path(source).expanduser(), part / "ns-3", symlinks=True)
    else:
        with tarfile.open(Path(source).expanduser()) as archive:
            archive.extractall(part, filter="data")
    found = sorted(path.parent for path in part.glob("**/ns3") if path.is_file() and (path.parent / "scratch").is_dir())
    if not found:
        raise harness.Failed(f"{source}: not a source of ns-3 3.36 or newer: expected a program ns3 next to scratch/")
    found[0].rename(tree)
    shutil.rmtree(part)


def _write_scenario(tree):
    """Copy the dumbbell's current files, with a CMakeLists.txt for the build of the ns-3 tree.

    Only the CMakeLists.txt is in `scratch/`, where ns-3 makes a program of each folder with a "main".
    """
    code = (
        "import json; from tcpsweep.core.identity import cpp_code; print(json.dumps(cpp_code.cpp_sources('dumbbell')))"
    )
    listed = subprocess.run(
        [sys.executable, "-c", code], cwd=harness.ROOT, env=harness.environment(), stdout=subprocess.PIPE, check=True
    )
    files = {f"tcpsweep/{name}": text for name, text in json.loads(listed.stdout).items()}
    sources = " ".join(f"${{PROJECT_SOURCE_DIR}}/{name}" for name in files if name.endswith(".cc"))
    version = (tree / "VERSION").read_text(encoding="utf-8").strip()
    files["scratch/dumbbell/CMakeLists.txt"] = SCRATCH.format(sources=sources, version=version)
    for name, text in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _run(*command, folder=FOLDER):
    """Run a step of the set-up at low priority, with its output in a log."""
    log = FOLDER / "log.txt"
    harness.say(f"  set-up: {' '.join(map(str, command))}")
    with log.open("a", encoding="utf-8") as out:
        done = subprocess.run(
            ["nice", *map(str, command)], cwd=folder, stdout=out, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        raise harness.Failed(f"{' '.join(map(str, command))} failed; {log} says why")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
