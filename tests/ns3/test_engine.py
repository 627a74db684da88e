# SPDX-License-Identifier: MIT
"""Which ns-3 a sweep runs in: finding installations in folders made up, and Debian's ns-3 3.37 beside the wheel's."""

import functools
import hashlib
import json
import re
import subprocess
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.commands import one_cell
from tcpsweep.identity import source_folders
from tcpsweep.ns3 import catalogue, engine, installation, programs
from tcpsweep.plan import checked_sweep
from tcpsweep.store.compiled_programs import BuildError
from tcpsweep.sweepfile.yaml_document import Mistakes
from tcpsweep.words import table_columns
from tests.support.programs import compiled
from tests.support.project import SMALL, step
from tests.support.tools import lacking

MODULES = ("core", "network", "internet", "point-to-point", "applications", "flow-monitor", "traffic-control")
DEBIAN = Path("/usr")
OLD = SMALL.replace("sweep: small", "sweep: old") + f"ns3: {{prefix: {DEBIAN}}}\n"


def installed(prefix, *cores, package=None, header=None, headers=True, content=b""):
    """Make up an installation with the modules beside each of some paths of the library ``core``.

    ``package`` is the version in its pkg-config file, ``header`` that of its headers, where it has these; ``content``
    is that of the library ``internet``.
    """
    for core in cores:
        for module in MODULES:
            library = prefix / core.replace("-core", f"-{module}")
            library.parent.mkdir(parents=True, exist_ok=True)
            library.write_bytes(content if module == "internet" else core.encode())
    if package:
        (prefix / cores[0]).with_name("pkgconfig").mkdir()
        ((prefix / cores[0]).parent / "pkgconfig" / "ns3-core.pc").write_text(f"Name: ns3-core\nVersion: {package}\n")
    if headers:
        (prefix / "include" / "ns3").mkdir(parents=True)
        (prefix / "include" / "ns3" / "core-config.h").touch()
    if header:
        text = "".join(
            f"#define NS3_VERSION_{part} {number}\n"
            for part, number in zip(("MAJOR", "MINOR"), header.split("."), strict=True)
        )
        (prefix / "include" / "ns3" / "version-defines.h").write_text(text)
    return prefix


@pytest.mark.parametrize(
    ("core", "said", "version"),
    [
        ("lib64/libns3.44-core.so", {}, "3.44"),
        ("lib/libns3.40-core-optimized.so", {}, "3.40"),
        ("lib/libns3.36.1-core-default.so", {"package": "3.36.1", "header": "3.36"}, "3.36.1"),
        ("lib/x86_64-linux-gnu/libns3-core.so", {"package": "3.37"}, "3.37"),
        ("lib/x86_64-linux-gnu/libns3-core.so", {"header": "3.37"}, "3.37"),
        ("lib/libns3-dev-core-debug.so", {"package": "3-dev", "header": "3.45"}, "3.45"),
    ],
)
def test_an_installation_says_its_version_wherever_it_has_it(tmp_path, core, said, version):
    found = installation.find(installed(tmp_path, core, **said))
    assert (found.prefix, found.version, found.core) == (tmp_path, version, tmp_path / core)
    assert {path.name for path in found.libraries} == {
        Path(core).name.replace("-core", f"-{module}") for module in MODULES
    }


@pytest.mark.parametrize(
    ("profiles", "fastest"),
    [(["-debug", "-default"], "-default"), (["-debug", "-optimized"], "-optimized"), (["", "-debug"], "")],
)
def test_of_several_builds_of_one_version_the_fastest_is_taken_alone(tmp_path, profiles, fastest):
    found = installation.find(installed(tmp_path, *(f"lib/libns3.40-core{profile}.so" for profile in profiles)))
    assert found.core.name == f"libns3.40-core{fastest}.so"
    assert len(found.libraries) == len(MODULES)


@pytest.mark.parametrize(
    ("cores", "said", "told"),
    [
        (
            ["lib/libns3.40-core.so", "lib/libns3.41-core.so"],
            {},
            r"several versions of ns-3 .*3\.40, 3\.41.*of its own",
        ),
        (["lib/libns3.40-core.so"], {"header": "3.41"}, r"headers under .* are of ns-3 3\.41, .* is of 3\.40"),
        (["lib/libns3.40-core.so"], {"headers": False}, r"no ns-3 headers \(include/ns3/core-config\.h\)"),
        (["lib/libns3-core.so"], {}, "which version"),
        (["lib/libns3.40-corelib.so"], {}, r"no ns-3 libraries \(libns3\*-core\.so in lib64 or lib or"),
    ],
)
def test_what_nothing_can_be_built_against_is_refused(tmp_path, cores, said, told):
    with pytest.raises(installation.EngineError, match=told):
        installation.find(installed(tmp_path, *cores, **said))


@pytest.mark.parametrize(
    ("given", "near"), [(".", "build"), ("build/lib", "build"), ("build/include/ns3", "build"), ("build/lost", "build")]
)
def test_a_prefix_near_an_installation_is_told_where_that_is(tmp_path, given, near):
    installed(tmp_path / "build", "lib/libns3.40-core-default.so")
    with pytest.raises(installation.EngineError, match=rf"; did you mean '{tmp_path / near}'\?$"):
        installation.find(tmp_path / given)


def test_the_place_of_an_ns3_is_no_part_of_what_identifies_it(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    one, other = (engine.find(installed(tmp_path / place, "lib/libns3.40-core.so")) for place in ("one", "other"))
    assert (one.version, one.libraries_id) == (other.version, other.libraries_id)
    assert one.name != other.name  # programs find their libraries by their place
    (tmp_path / "other" / "lib" / "libns3.40-internet.so").write_bytes(b"something else")
    assert engine.find(tmp_path / "other").libraries_id != one.libraries_id


@pytest.mark.parametrize(
    ("version", "content", "definitions", "standard"),
    [
        (
            "3.44",
            b'\0NS_ASSERT failed, cond="\0_ZN3ns312LogComponentC1ERKS\0',
            {"NS3_ASSERT_ENABLE", "NS3_LOG_ENABLE"},
            20,
        ),
        ("3.41", b'\0assert failed. cond="\0_ZN3ns312LogComponentD1Ev\0', {"NS3_ASSERT_ENABLE"}, 17),
        ("3.46", b"\0nothing of that\0", set(), 23),
    ],
)
def test_programs_are_compiled_as_the_libraries_were(tmp_path, version, content, definitions, standard):
    prefix = installed(tmp_path / "a-core", f"lib/libns{version}-core-default.so", content=b"\x7fELF\2\1" + content)
    core = installation.find(prefix).core
    options = [f"-DNS3_CORE={core}", f"-DNS3_VERSION={version}", "-DPROGRAM=inspect"]
    command = ["cmake", "-S", source_folders.SCENARIOS, "-B", tmp_path / "made", "-G", "Ninja", *options]
    subprocess.run(command, check=True, capture_output=True)
    ninja = (tmp_path / "made" / "build.ninja").read_text()
    assert set(re.findall(r"-D(NS3_[A-Z]+_ENABLE)\b", ninja)) == definitions
    assert set(re.findall(r"-std=c\+\+(\d+)", ninja)) == {str(standard)}
    assert f"-isystem {prefix}/include\n" in ninja


def test_a_missing_module_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    prefix = installed(tmp_path / "ns-3", "lib/libns3.40-core.so")
    (prefix / "lib" / "libns3.40-flow-monitor.so").unlink()
    with pytest.raises(BuildError, match="this ns-3 has no module flow-monitor"):
        programs.compile_program(engine.find(prefix), "inspect")


def test_a_module_of_one_scenario_is_missed_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    ns3 = engine.find(installed(tmp_path / "ns-3", "lib/libns3.40-core.so"))
    (tmp_path / "ns-3" / "include" / "ns3" / "mobility-module.h").touch()
    assert catalogue.libraries_of(ns3, ("mobility",)) == [tmp_path / "ns-3" / "lib" / "libns3.40-mobility.so"]
    with pytest.raises(installation.EngineError, match="ns-3 lacks wifi, which the scenario needs"):
        catalogue.libraries_of(ns3, ("mobility", "wifi"))


@pytest.fixture
def sweep_file(tmp_path, monkeypatch):
    """Writes a sweep file with an ``ns3`` into a folder that is not the working folder; returns its path."""
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))

    def write(ns3):
        path = tmp_path / "sweeps" / "sweep.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"sweep: s\nscenario: dumbbell\nns3: {ns3}\n")
        return path

    return write


def test_a_prefix_is_absolute_or_from_home_or_from_the_sweep_files_folder(tmp_path, monkeypatch, sweep_file):
    monkeypatch.setenv("HOME", str(tmp_path))
    installed(tmp_path / "ns-3.40" / "build", "lib/libns3.40-core-default.so")
    for prefix in (tmp_path / "ns-3.40/build", "~/ns-3.40/build", "../ns-3.40/build"):
        _, _, found = checked_sweep.read(sweep_file(f"{{prefix: {prefix}}}"))
        assert (found.prefix, found.version) == (tmp_path / "ns-3.40" / "build", "3.40")


@pytest.mark.parametrize("ns3", ["{}", None])
def test_without_a_prefix_it_is_the_python_environments(sweep_file, build_folder, monkeypatch, ns3):
    path = sweep_file(ns3)
    if ns3 is None:
        path.write_text("sweep: s\nscenario: dumbbell\n")
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    assert checked_sweep.read(path)[2] == engine.find()


@pytest.mark.parametrize(
    ("ns3", "told"),
    [
        ("{prefix: ..}", r"^\S+sweep\.yaml:3:15: ns3\.prefix: no ns-3 libraries .* under \S+$"),
        ("{prefix: nowhere}", r":3:15: ns3\.prefix: there is no folder \S+/sweeps/nowhere$"),
        ("{prefix: ~nobody-of-that-name/x}", r":3:15: ns3\.prefix: expected a folder, but there is no home"),
        ("{prefix: ''}", r":3:15: ns3\.prefix: expected a folder, such as /usr .*, got ''$"),
        (r'{prefix: "a\nb"}', r":3:15: ns3\.prefix: expected a folder"),
        ("{prefix: [/usr]}", r":3:15: ns3\.prefix: expected text"),
        ("{prefx: /usr}", r":3:7: ns3\.prefx: unknown key; did you mean 'prefix'\? "),
        ("/usr", r":3:6: ns3: expected a mapping"),
        ("{prefix: " + "x" * 300 + "}", r"ns3\.prefix: \S+ cannot be read: File name too long$"),
    ],
)
def test_a_bad_prefix_is_one_message_with_its_place(sweep_file, ns3, told):
    with pytest.raises(Mistakes) as mistakes:
        checked_sweep.read(sweep_file(ns3))
    assert re.search(told, str(mistakes.value))
    assert "\n" not in str(mistakes.value)


def test_a_prefix_in_which_nothing_is_stops_a_run(project):
    ran = project.run(sweep=SMALL + "ns3: {prefix: no $(touch PWNED) place}\n")
    assert ran.status == 1
    assert "sweep.yaml:8:15: ns3.prefix: there is no folder" in ran.text
    assert not list(project.folder.rglob("*PWNED*"))


# --- Debian's ns-3 ---


@pytest.fixture(scope="session")
def debian(build_folder):
    """The ns-3 3.37 of Debian 12's package libns3-dev."""
    if not (DEBIAN / "include" / "ns3" / "core-config.h").exists():
        lacking("libns3-dev")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TCPSWEEP_BUILD", str(build_folder))
        found = engine.find(DEBIAN)
    if found.version != "3.37":
        pytest.skip(f"libns3-dev is ns-3 {found.version} here; these tests are about 3.37")
    return found


@pytest.fixture(scope="session")
def old_dumbbell(debian, build_folder):
    """The program, compiled against Debian's ns-3."""
    return compiled(build_folder, DEBIAN)


@pytest.fixture(scope="module")
def both(old_dumbbell, program, finished, build_folder, tmp_path_factory):
    """A project in which the small sweep has run in the wheel's ns-3, and then in Debian's; the cells of each."""
    project = finished.copy(tmp_path_factory.mktemp("both") / "project")
    project.own_build(old_dumbbell, compiled(build_folder, DEBIAN, "inspect"), program("dumbbell"), program("inspect"))
    of_wheel = contents(project)
    ran = project.run(sweep=OLD, name="old.yaml")
    assert ran.status == 0, ran.text
    of_old = {path: digest for path, digest in contents(project).items() if path not in of_wheel}
    assert len(ran.simulated) == len({path.parts[0] for path in of_old}) == 8
    return project, of_wheel, of_old


def contents(project):
    """A hash of each file of the finished cells, by its path."""
    folder = project / "results" / "cells"
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def records(project, files):
    """The cells' records among some files."""
    folder = project / "results" / "cells"
    return [json.loads((folder / path).read_text()) for path in files if path.name == "run.json"]


def test_the_cells_of_two_versions_stand_side_by_side(both):
    project, of_wheel, of_old = both
    assert contents(project) == of_wheel | of_old
    assert {record["ns3_version"] for record in records(project, of_wheel)} == {"3.44"}
    assert {record["ns3_version"] for record in records(project, of_old)} == {"3.37"}
    for name, text in (("sweep.yaml", None), ("old.yaml", OLD)):
        assert "8 cells, all finished" in project.run("-n", sweep=text, name=name).text
    assert "nothing to remove" in step(project, "prune").stdout


# A row each time that something happens, which in a short cell it may not.
COUNTED = {"retransmitted_bytes", "duplicate_bytes", "timeouts", "receiver_limited_s", "application_limited_s"}


def test_what_3_37_cannot_trace_is_empty_and_named_and_all_else_is_there(both):
    project, _, of_old = both
    for record in records(project, of_old):
        assert record["unavailable"] == ["rtt_s"]
        empty = {name for name, rows in record["traces"].items() if not rows}
        assert {"rtt_s"} <= empty <= {"rtt_s"} | COUNTED
    for path in of_old:
        frame = pl.read_parquet(project / "results" / "cells" / path) if path.suffix == ".parquet" else None
        if path.name == "traces.parquet":
            traced = set(frame["metric"].cast(pl.String))
            assert set(table_columns.TRACES) - {"rtt_s"} - COUNTED <= traced <= set(table_columns.TRACES) - {"rtt_s"}
        elif path.name != "fairness.parquet" and frame is not None:  # too short for the windows of that
            assert frame.height > 0
    flows = [pl.read_parquet(project / "results" / "sweeps" / name / "flows.parquet") for name in ("small", "old")]
    lacking = set(flows[0].columns) - set(flows[1].columns)
    assert lacking == {"rtt_mean_s", "rtt_p50_s", "rtt_p95_s", "rtt_p99_s"}
    for name in flows[1].columns:
        assert flows[0][name].null_count() == flows[1][name].null_count(), name


def test_the_report_says_what_3_37_cannot_trace(both):
    project, *_ = both
    sentence = "ns-3 3.37 cannot trace rtt_s"
    assert (project / "reports" / "old.html").read_text().count(sentence) == 1
    assert "cannot trace" not in (project / "reports" / "small.html").read_text()
    captions = (project / "results" / "sweeps" / "old" / "figures.json").read_text()
    assert "the smoothed round-trip time" in captions
    assert "each sample of the round-trip time" not in captions


def test_one_cell_and_its_program_are_made_with_the_sweeps_ns3(both, monkeypatch):
    project, of_wheel, of_old = both
    assert f"tcpsweep compile dumbbell --prefix={DEBIAN}" in (project / "reports" / "old.html").read_text()
    assert step(project, "compile", "dumbbell", f"--prefix={DEBIAN}").stderr == ""
    monkeypatch.chdir(project.folder)
    for path, prefix in ((next(iter(of_old)), str(DEBIAN)), (next(iter(of_wheel)), None)):
        assert one_cell.find(path.parts[0])[2].ns3_prefix == prefix


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        (
            "grid: {variant: [TcpWestwood]}",
            "3.44",
            r"sweep\.yaml:4:18: .*both ns-3 3\.37 and ns3-scenarios/variants/TcpWestwood\.cc have TcpWestwood; ",
        ),
        (
            'attributes: {"ns3::TcpWestwood::FilterType": None}',
            "",
            r"4:14: .*(both ns-3 3\.37 and|no attribute 'FilterType'; did you mean)",
        ),
        ("grid: {variant: [TcpAdaptiveReno]}", "3.37 3.44", None),
        (
            "grid: {variant: [TcpWestwoodPlus]}",
            "3.44",
            r"4:18: .*ns-3 3\.37 has no congestion control 'TcpWestwoodPlus'.*did you mean 'TcpWestwood'\?",
        ),
        (
            'attributes: {"ns3::TcpCubic::TcpFriendliness": true}',
            "3.44",
            r"4:14: .*in ns-3 3\.37, ns3::TcpCubic has no attribute 'TcpFriendliness'; it has Beta, C, ",
        ),
        ("grid: {variant: [TcpCubic, TcpBbr]}\nfixed: {queue_disc: FqCoDelQueueDisc}", "3.37 3.44", None),
        ("grid: {preset: [none, linux, datacentre]}", "3.37 3.44", None),
        ("fixed: {queue_disc: FqCodelQueueDisc}", "", r"ns-3 3\.(37|44) has no queue disc .*'FqCoDelQueueDisc'\?"),
    ],
)
def test_names_are_checked_against_the_sweeps_ns3(debian, build_folder, sweep_file, monkeypatch, text, known, unknown):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    for version, ns3 in (("3.37", f"{{prefix: {DEBIAN}}}"), ("3.44", "{}")):
        path = sweep_file(f"{ns3}\n{text}")
        if version in known:
            assert checked_sweep.read(path, ask_ns3=True)[2].version == version
        else:
            with pytest.raises(Mistakes, match=unknown):
                checked_sweep.read(path, ask_ns3=True)


def test_every_congestion_control_of_3_37_runs(debian, old_dumbbell, build_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    known = catalogue.descendants(catalogue.types(debian), "ns3::TcpCongestionOps")
    assert {"ns3::TcpCubic", "ns3::TcpWestwood"} <= set(known)
    quick = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=4s", "--start_jitter=100ms", f"--out={tmp_path}")
    for name in known:
        if name != "ns3::TcpDctcp":
            subprocess.run([old_dumbbell, f"--variant={name}", *quick], check=True)
            flows = json.loads((tmp_path / "run.json").read_text())["flows"]
            assert all(flow["received_bytes"] > 50_000 for flow in flows), name


@pytest.mark.slow
def test_wifi_of_3_37_reaches_as_far(debian, build_folder, tmp_path):
    program = compiled(build_folder, DEBIAN, "wifi-dumbbell")
    options = ["--flows=10", "--coverage=2", "--queue=100p", "--start=1s", "--duration=6s"]
    subprocess.run([program, *options, f"--out={tmp_path}"], check=True)
    record = json.loads((tmp_path / "run.json").read_text())
    assert [flow["flow"] for flow in record["flows"] if flow["established_s"] is not None] == [4, 7, 8]
    near = {"sender 4", "sender 6", "sender 7", "sender 8", "sender 9", "receiver 4", "receiver 7", "receiver 8"}
    assert {node["name"] for node in record["nodes"] if node["associated_s"] is not None} == near


def test_the_command_line_is_the_same_on_both(dumbbell, old_dumbbell):
    run = functools.partial(subprocess.run, capture_output=True, text=True, check=False)
    pages = [run([program, "--help"]) for program in (dumbbell, old_dumbbell)]
    assert [page.returncode for page in pages] == [0, 0]
    options = [set(re.findall(r"^ +--(\w+):", page.stdout, re.M)) for page in pages]
    assert options[0] == options[1] != set()
    refused = run([old_dumbbell, "--variant=TcpCubik", "--out=."])
    assert refused.returncode == 2
    assert "ns-3 3.37 has no congestion control 'TcpCubik'" in refused.stderr
    assert "did you mean 'TcpCubic'?" in refused.stderr


def test_a_library_whose_type_is_there_already_is_refused_by_both(debian, dumbbell, old_dumbbell, tmp_path):
    (tmp_path / "taken.cc").write_text('#include <ns3/type-id.h>\nconst ns3::TypeId taken("ns3::TcpVegas");\n')
    for found, program, standard in ((engine.find(), dumbbell, 20), (debian, old_dumbbell, 17)):
        library = tmp_path / f"{found.version}.so"
        command = ["c++", f"-std=c++{standard}", "-shared", "-fPIC", f"-I{found.prefix / 'include'}"]
        subprocess.run([*command, "-o", library, tmp_path / "taken.cc"], check=True)
        command = [program, f"--load={library}", "--variant=TcpVegas", f"--out={tmp_path}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "--load: " in done.stderr
        assert "ns3::TcpVegas" in done.stderr
        assert done.stderr.count("\n") == 1
