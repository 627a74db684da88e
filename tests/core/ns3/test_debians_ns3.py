# SPDX-License-Identifier: MIT
"""Debian's ns-3 3.37 next to the wheel: cells, unavailable traces, names, and the command line."""

import functools
import hashlib
import html
import json
import re
import subprocess
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.command_line.commands import one_cell
from tcpsweep.core.ns3 import catalogue, engine
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document.yaml_document import Mistakes
from tcpsweep.core.words import table_columns
from tests.core.ns3.conftest import messages
from tests.support.programs import compiled
from tests.support.project import SMALL, step
from tests.support.tools import lacking

pytestmark = pytest.mark.long
DEBIAN = Path("/usr")
OLD = SMALL.replace("sweep: small", "sweep: old") + f"ns3: {{prefix: {DEBIAN}}}\n"


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
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def records(project, files):
    folder = project / "results" / "cells"
    return [json.loads((folder / path).read_text()) for path in files if path.name == "run.json"]


def test_the_cells_of_two_versions_stand_side_by_side(both):
    project, of_wheel, of_old = both
    assert contents(project) == of_wheel | of_old
    assert {record["ns3_version"] for record in records(project, of_wheel)} == {"3.44"}
    assert {record["ns3_version"] for record in records(project, of_old)} == {"3.37"}
    for name, text in (("sweep.yaml", None), ("old.yaml", OLD)):
        assert "8 simulations, all finished" in project.run("-n", sweep=text, name=name).text
    assert "nothing to remove" in step(project, "prune").stdout


# A row each time that something happens, which in a short cell it may not.
COUNTED = {"retransmitted_bytes", "duplicate_bytes", "timeouts"} | {
    f"{cause}_limited_s" for cause in ("receiver", "application", "send_buffer")
}


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
    assert lacking == {"rtt_mean_s", "rtt_p50_s", "rtt_p95_s", "rtt_p99_s", "loss_event_rate"}
    # By chance, no packet arrives in a fifth of the time, or none is dropped.
    for name in (name for name in flows[1].columns if name not in ("owd_trend", "owd_bend", "drops_in_a_row")):
        assert flows[0][name].null_count() == flows[1][name].null_count(), name


def test_the_report_says_what_3_37_cannot_trace_and_its_corrections(both):
    project, _, of_old = both
    page = (project / "reports" / "old.html").read_text()
    assert page.count("ns-3 3.37 cannot trace rtt_s") == 1
    assert "cannot trace" not in (project / "reports" / "small.html").read_text()
    captions = (project / "results" / "sweeps" / "old" / "figures.json").read_text()
    assert "the smoothed round-trip time" in captions
    assert "each sample of the round-trip time" not in captions
    of_both = "dsack,f_rto,prr,quick_ack,rack_tlp,receive_window,recovery_exit,sack_compression,syn_timeouts,undo"
    of_each = {record["parameters"]["corrections"] for record in records(project, of_old)}
    assert of_each == {of_both, f"cubic,{of_both}"}
    # It does not need rate_sample.
    said = "TCP as it runs today (<code>tcp: corrected</code>): ns-3 3.37 with all 14 corrections and Linux' settings"
    assert f"<dt>TCP</dt><dd>{said}</dd>" in html.unescape(page)


def test_one_cell_and_its_program_are_made_with_the_sweeps_ns3(both, monkeypatch):
    project, of_wheel, of_old = both
    assert f"tcpsweep compile dumbbell --prefix={DEBIAN}" in (project / "reports" / "old.html").read_text()
    assert step(project, "compile", "dumbbell", f"--prefix={DEBIAN}").stderr == ""
    monkeypatch.chdir(project.folder)
    for path, prefix in ((next(iter(of_old)), str(DEBIAN)), (next(iter(of_wheel)), None)):
        assert one_cell.find(path.parts[0])[2].ns3_prefix == prefix


@pytest.mark.parametrize("case", messages("names"), ids=lambda case: case["text"])
def test_names_are_checked_against_the_sweeps_ns3(debian, build_folder, sweep_file, monkeypatch, case):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    for version, ns3 in (("3.37", f"{{prefix: {DEBIAN}}}"), ("3.44", "{}")):
        path = sweep_file(f"{ns3}\n{case['text']}")
        if version in case["known"]:
            assert checked_sweep.read(path, ask_ns3=True)[2].version == version
        else:
            with pytest.raises(Mistakes, match=case["told"]):
                checked_sweep.read(path, ask_ns3=True)


def test_all_controls_of_3_37_and_constant_rate_flows_run(debian, old_dumbbell, build_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    known = catalogue.descendants(catalogue.types(debian), "ns3::TcpCongestionOps")
    assert {"ns3::TcpCubic", "ns3::TcpWestwood"} <= set(known)
    quick = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=4s", "--start_jitter=100ms", f"--out={tmp_path}")
    for name in known:
        if name != "ns3::TcpDctcp":
            subprocess.run([old_dumbbell, f"--variant={name}", *quick], check=True)
            flows = json.loads((tmp_path / "run.json").read_text())["flows"]
            assert all(flow["received_bytes"] > 50_000 for flow in flows), name
    cbr = ("--cbr_flows=3", "--cbr_rate=80kbps", "--cbr_packet_size=1000", "--cbr_start=1s", "--cbr_stop=3s")
    subprocess.run([old_dumbbell, *cbr, *quick, "--queue=1000p", "--start_jitter=0s"], check=True)
    flows = json.loads((tmp_path / "run.json").read_text())["cbr_flows"]
    # Ten packets in a second, for 2 s; the first one comes after an interval.
    assert all(18 <= flow["sent_packets"] == flow["received_packets"] <= 20 for flow in flows), flows


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
        flags = [f"-std=c++{standard}", "-shared", "-fPIC", f"-I{found.prefix / 'include'}"]
        subprocess.run(["c++", *flags, "-o", library, tmp_path / "taken.cc"], check=True)
        command = [program, f"--load={library}", "--variant=TcpVegas", f"--out={tmp_path}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "--load: " in done.stderr and "ns3::TcpVegas" in done.stderr
