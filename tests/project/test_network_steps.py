# SPDX-License-Identifier: MIT
"""The steps of docs/network-step-by-step.md: each file is valid, runs in ns-3, and has the page's results."""

import subprocess

import polars as pl
import pytest

import tcpsweep
from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.parse import raw_files
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words import units
from tests.support.networks import commands, read
from tests.support.project import Project
from tests.support.recipes import blocks

pytestmark = pytest.mark.long
PAGE = "network-step-by-step"
STEPS = blocks("yaml", PAGE)


@pytest.fixture(scope="module")
def step(program, tmp_path_factory):
    """The first run of each combination of a step, by the combination's axes; its metrics by link or flow and name."""

    def step(number):
        sweep = read(STEPS[number - 1].replace("repetitions: 5", "runs: [1]"))
        found = {}
        for row, cell in zip(sweep.own, commands(sweep), strict=True):
            raw, out = (tmp_path_factory.mktemp(name) for name in ("raw", "parsed"))
            subprocess.run([program("network"), *cell.arguments, f"--out={raw}"], check=True)
            span = Span(*(float(units.si(row[name], "time")) for name in ("warmup", "duration")))
            measures = cell_metrics.tables(raw_files.cell(raw, out), "c", span)["measures"]
            wanted = measures.select(
                pl.coalesce("link", "traffic", pl.col("flow").cast(pl.String)), "direction", "metric", "value"
            )
            values = {(of, name): value for of, way, name, value in wanted.rows() if way in (None, "forward")}
            found[tuple(row[axis] for axis in sweep.axes)] = values
        return found if sweep.axes else found[()]

    return step


def test_there_are_five_steps_each_right_with_a_name_of_its_own(tmp_path):
    assert len(STEPS) == 5
    for number, text in enumerate(STEPS, 1):
        (tmp_path / "step.yaml").write_text(text)
        _, sweep, _ = checked_sweep.read(tmp_path / "step.yaml", ask_ns3=True)
        assert sweep.name == f"step-{number}"


def test_one_link_gives_its_rate_but_for_headers(step):
    found = step(1)
    assert found["0", "goodput_bps"] == pytest.approx(10e6 * 1448 / 1502, rel=1e-3)
    assert found[None, "utilisation"] > 0.99
    assert found["0", "owd_mean_s"] == pytest.approx(0.025, abs=0.0005)


def test_the_slower_link_binds_and_its_buffer_decides(step):
    found = step(2)
    assert all(values["uplink", "binds"] == 1 and values["wifi", "utilisation"] < 0.52 for values in found.values())
    small, large = found["TcpCubic", "0.5bdp"], found["TcpCubic", "4bdp"]
    # After a reduction to 0.7 of 1.5 bandwidth-delay products, CUBIC's window is still more than the link holds.
    assert min(small["uplink", "utilisation"], large["uplink", "utilisation"]) > 0.998
    assert [small["0", "owd_mean_s"], large["0", "owd_mean_s"]] == pytest.approx([0.021, 0.098], abs=0.001)
    assert found["TcpBbr", "4bdp"]["0", "owd_mean_s"] == pytest.approx(0.020, abs=0.001)
    assert min(found["TcpBbr", each]["uplink", "utilisation"] for each in ("0.5bdp", "4bdp")) > 0.97


def test_beside_bbr_the_backup_starves(step):
    found = step(3)
    alike, beside_bbr = found["TcpCubic",], found["TcpBbr+TcpCubic",]
    assert (alike["0", "goodput_bps"] + alike["1", "goodput_bps"]) / 2 == pytest.approx(4.8e6, rel=0.01)
    assert beside_bbr["0", "goodput_bps"] == pytest.approx(8.4e6, rel=0.03)
    assert beside_bbr["1", "goodput_bps"] < 1.2e6


def test_after_the_step_the_upload_has_the_slower_link(step):
    for values in step(4).values():
        assert values["0", "goodput_bps"] <= 3e6 * 1448 / 1502
        both = values["0", "goodput_bps"] + values["1", "goodput_bps"]
        assert both == pytest.approx(10e6 * 1448 / 1502, rel=0.02)


@pytest.fixture(scope="module")
def last_step(program, build_folder, tmp_path_factory):
    """A project in which the first run of the last step's combinations has come to its tables."""
    program("network")
    project = Project(tmp_path_factory.mktemp("project"), build_folder)
    ran = project.run(project.tables("step-5"), sweep=STEPS[4].replace("repetitions: 5", "runs: [1]"))
    assert ran.status == 0, ran.text
    return project


def test_fair_queues_spare_short_flows_the_upload(last_step):
    traffic = tcpsweep.open("step-5", last_step.folder).traffic.filter(pl.col("traffic") == "posts").collect()
    rows = traffic.select("variant", "links_uplink_queue_disc", "metric", "mean").rows()
    found = {(variant, disc, metric): value for variant, disc, metric, value in rows}
    for variant in ("TcpCubic", "TcpBbr"):
        plain, fair = (
            {metric: found[variant, disc, metric] for metric in ("slowdown_mean", "slowdown_p99", "unfinished_share")}
            for disc in ("none", "FqCoDelQueueDisc")
        )
        assert plain["slowdown_mean"] > 3 > 2 > fair["slowdown_mean"]
        assert fair["slowdown_p99"] < 3.3
        assert plain["unfinished_share"] == fair["unfinished_share"] == 0
    assert found["TcpCubic", "none", "slowdown_mean"] == pytest.approx(4.9, abs=1.5)
    assert found["TcpCubic", "none", "slowdown_p99"] > 20


def test_the_python_of_both_pages_reads_what_the_last_step_left(last_step, monkeypatch):
    monkeypatch.chdir(last_step.folder)
    (code,) = blocks("python", PAGE)
    names = {}
    exec(compile(code, f"docs/{PAGE}.md", "exec"), names)
    assert names["posts"].height == 4
    assert set(names["busy"]["link"]) == {"wifi", "uplink"}
    assert names["busy"].height == names["busy"].select(pl.exclude("mean")).unique().height
    assert names["goodputs"].height == 4
    assert set(names["goodputs"]["group"]) == {"upload"}
    # The network's page opens a larger sweep, which has traffic, too.
    (code,) = blocks("python", "network")
    assert code.count('open("websearch")') == 1
    exec(compile(code.replace("websearch", "step-5"), "docs/network.md", "exec"), {})
