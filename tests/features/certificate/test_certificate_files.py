# SPDX-License-Identifier: MIT
"""A certificate: which combinations are compared, the verdicts on effects that were put into the data, its files."""

import argparse
import dataclasses
import itertools
import json
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import cell_files, digests
from tcpsweep.core.sweep import matching, sweep_record
from tcpsweep.core.sweepfile.asked import smallest_effects
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.certificate import (
    cell_words,
    certificate_files,
    certificate_shares,
    certified_cells,
    commands,
)
from tests.support import synthetic
from tests.support.chromium import opened
from tests.support.tools import ROOT

RUNS = tuple(range(1, 15))
NETWORKS = ({"delay": "10ms", "flows": 2}, {"delay": "20ms", "flows": 1})
# Linux' rows have the default TCP, and ns-3's an attribute of the preset: neither changes the network.
ROWS = [
    {"variant": "TcpCubic", "stack": stack, "tcp": tcp, "corrections": value, **network, **attributes}
    for network in NETWORKS
    for stack, tcp, value, attributes in (
        ("ns-3", "ns-3", "none", {"ns3::TcpL4Protocol::RecoveryType": "ns3::TcpClassicRecovery"}),
        ("ns-3", "corrected", "all", {}),
        ("linux", "corrected", "all", {}),
    )
]
AXES = {
    "variant": ["TcpCubic"],
    "stack": ["ns-3", "linux"],
    "tcp": ["ns-3", "corrected"],
    "corrections": ["none", "all"],
}
AXES |= {"ns3::TcpL4Protocol::RecoveryType": ["ns3::TcpClassicRecovery"], "delay": ["10ms", "20ms"], "flows": [1, 2]}
SWEEP = synthetic.record(
    smallest_effects=smallest_effects.smallest_effects({"all": "5%", "timeouts": 0.5}),
    runs=RUNS,
    axes=AXES,
    combinations=ROWS,
    corrections={"none": [], "all": ["prr"]},
)


def values(rows=ROWS, lacks=()):
    """Goodput that differs between runs by 1 %; at 20 ms, ns-3's is a fifth more without corrections.

    No loss at all, and timeouts only in some runs of Linux at 10 ms. ``lacks`` are metrics without values.
    """
    found = []
    for number, run in itertools.product(range(len(rows)), RUNS):
        row = rows[number]
        more = 1.2 if (row["corrections"], row["delay"]) == ("none", "20ms") else 1.0
        timeouts = 3 * (run % 2) if (row["stack"], row["delay"]) == ("linux", "10ms") else 0
        goodput = 1e6 * (1 + 0.01 * ((run * 7 + number) % 3)) * more
        of_flows = {"goodput_bps": goodput, "congestion_loss": 0.0, "timeouts": timeouts}
        digest = f"{number}-{run}"
        found += [(number, "TcpCubic", n, run, digest, v, True) for n, v in of_flows.items() if n not in lacks]
        found.append((number, None, "jain", run, digest, 1.0, True))
    return synthetic.by_run(found)


@pytest.fixture(scope="module")
def cells():
    return certified_cells.table(SWEEP, values())


def verdicts(cells, metric):
    """The verdicts on a metric, by the corrections and the delay."""
    rows = cells.filter(pl.col("metric") == metric).rows(named=True)
    return {(name(row), SWEEP.combinations[row["combination"]]["delay"]): row["verdict"] for row in rows}


def name(row):
    """The corrections that are compared with Linux in a row."""
    return row["implementation"].removeprefix("corrections: ")


def test_linux_is_compared_with_every_value_of_corrections(cells):
    sides = {(row["combination"], row["reference_combination"]) for row in cells.rows(named=True)}
    assert sides == {(0, 2), (1, 2), (3, 5), (4, 5)}
    one = synthetic.record(combinations=ROWS[:1], runs=RUNS, axes=AXES)
    with pytest.raises(UserError, match="no network has both"):
        certified_cells.table(one, values(ROWS[:1]))


def test_what_was_put_there_is_found(cells):
    places = list(itertools.product(("none", "all"), ("10ms", "20ms")))
    assert verdicts(cells, "goodput_bps") == dict.fromkeys(places, "equivalent") | {("none", "20ms"): "higher"}
    # Equal values are equivalent, also without any losses. The difference in timeouts has the mean 1.5 and the standard
    # deviation 1.58: its interval by Student's t, 1.5 ± 2.262 · 1.58 / √10, holds the margin, 0.5.
    assert verdicts(cells, "congestion_loss") == dict.fromkeys(places, "equivalent")
    of_timeouts = {"10ms": "inconclusive", "20ms": "equivalent"}
    assert verdicts(cells, "timeouts") == {(name, delay): of_timeouts[delay] for name, delay in places}
    # One flow has no shares.
    assert verdicts(cells, "jain") == {("none", "10ms"): "equivalent", ("all", "10ms"): "equivalent"}


def test_cells_without_values_are_counted_and_not_equivalent():
    cells = certified_cells.table(SWEEP, values(lacks=("timeouts",)))
    # Nothing has a queueing delay here; timeouts are missing too. Two networks have 4 metrics, one has Jain's index.
    found = certified_cells.shares(cells).rows(named=True)
    counted = [(name(row), row["cells"], row["equivalent"], row["not testable"]) for row in found]
    assert counted == [("none", 9, 4, 4), ("all", 9, 5, 4)]
    assert [row["share"] for row in found] == pytest.approx([4 / 9, 5 / 9])
    assert cell_words.answer(cells) == (
        "Of 9 comparisons, these are equivalent to Linux: 56 % with `corrections: all` (none is shown to differ), "
        "44 % with `corrections: none` (1 is shown to differ)."
    )
    assert "4 equivalent, 1 higher, 4 not testable" in cell_words.counts(cells)[1]


def test_the_strict_share_is_without_comparisons_of_nothing_with_nothing(cells):
    # No run has losses. At 20 ms, none has timeouts. So 3 of 9 comparisons are of nothing, all equivalent.
    counted = [
        (tally["lenient"], tally["equivalent"], tally["cells"])
        for tally in certified_cells.shares(cells).rows(named=True)
    ]
    assert counted == [(3, 5, 9), (3, 6, 9)]
    # Wilson's intervals are scipy's.
    assert cell_words.counts(cells)[0].endswith("; strictly, 3 of 6 equivalent (95 %: 19 to 81 %)")
    assert cell_words.counts(cells)[1].endswith("; strictly, 2 of 6 equivalent (95 %: 10 to 70 %)")


def test_the_intervals_in_the_repository_give_the_counts_again(cells, tmp_path, monkeypatch):
    monkeypatch.setattr(certificate_files, "certified_sweep", lambda _: (SWEEP, cells, tmp_path))
    certificate_shares.write("certificate", tmp_path / "shares.yaml")
    shares = yaml.safe_load((tmp_path / "shares.yaml").read_text())
    intervals = pl.read_csv(tmp_path / "shares.csv")
    assert intervals.height == cells.height
    assert shares["is_strict"] and [len(networks) for networks in shares["tested"].values()] == [2]
    strictly = intervals.filter(~pl.col("is_lenient"), pl.col("implementation") == "corrections: all")
    for metric, counts in shares["shares"]["TcpCubic"]["all"]["drop-tail queues"].items():
        verdicts = strictly.filter(pl.col("metric") == metric)["verdict"].to_list()
        assert counts == [verdicts.count("equivalent"), len(verdicts)]
    for row in intervals.filter(pl.col("verdict") == "equivalent").rows(named=True):
        assert -row["margin"] <= row["low"] <= row["high"] <= row["margin"]


def test_a_second_sweep_adds_its_networks_and_counts_to_the_shares(cells, tmp_path, monkeypatch):
    path = tmp_path / "shares.yaml"
    monkeypatch.setattr(certificate_files, "certified_sweep", lambda _: (SWEEP, cells, tmp_path))
    certificate_shares.write("one", path)
    once, rows_once = yaml.safe_load(path.read_text()), path.with_suffix(".csv").read_text()
    with pytest.raises(UserError, match="it already has a network of the sweep"):
        certificate_shares.write("one", path, is_added=True)
    rows = [dict(row, delay={"10ms": "30ms", "20ms": "40ms"}[row["delay"]]) for row in ROWS]
    other = dataclasses.replace(SWEEP, combinations=[matching.Combination("dumbbell", row) for row in rows])
    monkeypatch.setattr(certificate_files, "certified_sweep", lambda _: (other, cells, tmp_path))
    certificate_shares.write("other", path, is_added=True)
    both = yaml.safe_load(path.read_text())
    delays = [network["delay"] for network in both["tested"]["drop-tail queues"]]
    assert delays == ["10ms", "20ms", "30ms", "40ms"]
    for value, by_kind in once["shares"]["TcpCubic"].items():
        for metric, counts in by_kind["drop-tail queues"].items():
            assert both["shares"]["TcpCubic"][value]["drop-tail queues"][metric] == [2 * count for count in counts]
    assert both["among"] == once["among"]
    all_rows = path.with_suffix(".csv").read_text()
    assert all_rows.startswith(rows_once) and pl.read_csv(path.with_suffix(".csv")).height == 2 * cells.height


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            lambda text: text.replace("seed: 1", "seed: 2"),
            "seed is 2, and the sweep's is 1; to add, both must be equal",
        ),
        (
            lambda text: text.replace("goodput_bps: [0.05", "goodput_bps: [0.1"),
            r"the margin of goodput_bps is \[0.1, .*\], and the sweep's is \[0.05, .*\]; to add, both must be equal",
        ),
        (lambda text: text.replace("  none:", "  prr:"), "it has corrections prr and all, and the sweep none and all"),
        (lambda text: text.replace("seed: 1", ""), "expected a file that --shares wrote"),
        (lambda _: "[", "expected a file that --shares wrote"),
    ],
)
def test_shares_are_added_only_to_those_of_the_same_versions(cells, tmp_path, monkeypatch, damage, message):
    path = tmp_path / "shares.yaml"
    monkeypatch.setattr(certificate_files, "certified_sweep", lambda _: (SWEEP, cells, tmp_path))
    certificate_shares.write("one", path)
    path.write_text(damaged := damage(path.read_text()))
    with pytest.raises(UserError, match=message):
        certificate_shares.write("one", path, is_added=True)
    assert path.read_text() == damaged


def test_transfers_that_end_on_one_side_only_are_counted():
    rows = [dict(row, bytes=500_000) for row in ROWS]
    sweep = synthetic.record(combinations=rows, runs=RUNS, axes=AXES, corrections={"none": [], "all": ["prr"]})
    metrics = {"ns-3": ["goodput_bps", "completion_mean_s"], "linux": ["goodput_bps"]}
    found = [
        (number, "TcpCubic", metric, run, f"{number}-{run}", 1 + 0.01 * run, True)
        for number, row in enumerate(rows)
        for metric, run in itertools.product(metrics[row["stack"]], RUNS)
    ]
    cells = certified_cells.table(sweep, synthetic.by_run(found))
    assert set(cells["metric"].cast(pl.String)) == {"completion_mean_s"}
    assert set(cells["verdict"]) == {"not testable"}
    assert certified_cells.metrics_of({"flows": 4, "bytes": 0}) == list(certified_cells.METRICS)


def test_kernels_and_quic_are_implementations_too():
    network = {"corrections": "all", "delay": "10ms", "flows": 2}
    quic = [{"variant": f"quic:{name}/cubic", "stack": "ns-3", "kernel": "newest"} for name in ("noq", "ngtcp2")]
    linux = [{"variant": "TcpCubic", "stack": "linux", "kernel": f"linux-{name}"} for name in ("6.12", "6.1")]
    rows = [network | row for row in (*quic, *linux)]
    axes = {"variant": ["TcpCubic"], "kernel": ["newest", "linux-6.12", "linux-6.1"], "delay": ["10ms"]}
    sweep = synthetic.record(combinations=rows, runs=RUNS, axes=axes, corrections={"all": ["prr"]})
    assert certified_cells.reference(sweep) == "linux-6.12"
    assert certified_cells.implementations(sweep) == ["quic:noq", "quic:ngtcp2", "linux-6.1"]
    (whole, own) = certified_cells.pairs(sweep, "quic:noq").rows(named=True)
    assert (own["combination"], own["reference_combination"]) == (0, 2)
    assert (own["own"], own["reference_own"]) == ("quic:noq/cubic", "TcpCubic")
    assert (whole["variant"], whole["reference"], whole["own"]) == ("quic:noq/cubic", "TcpCubic", None)


def test_all_kernels_are_named_wherever_the_results_are(tmp_path):
    rows = [{"variant": "TcpCubic", "stack": stack, "kernel": name} for stack, name in NAMED]
    cells = [sweep_record.Run(f"cell-{number}-{run}", number, run) for number in range(len(rows)) for run in (1, 2)]
    sweep = synthetic.record(combinations=rows, cells=cells, measures=["m"] * len(rows))
    for run in sweep.cells:
        of_row = sweep.combinations[run.combination]
        record = {"settings": {"kernel.osrelease": f"{of_row['kernel'][6:]}.9"}}
        place = tmp_path / sweep.parquet(run.cell)
        measured = tmp_path / sweep.measured(run)
        measured.mkdir(parents=True)
        digests.write(measured)
        (place / cell_files.RECORD).write_text(json.dumps(record))
        digests.write(place)
    releases = [each["release"] for each in certificate_files.kernels(sweep, tmp_path)]
    assert releases == ["6.12.9", "6.1.9"]


NAMED = [("linux", "linux-6.12"), ("linux", "linux-6.1"), ("ns-3", "linux-5.10"), ("linux", "linux-6.12")]


def test_runs_that_are_not_steady_are_not_testable():
    frame = values().with_columns(counts=pl.col("metric") != "goodput_bps")
    cells = certified_cells.table(SWEEP, frame)
    assert set(verdicts(cells, "goodput_bps").values()) == {"not testable"}
    row = cell_words.row(SWEEP, cells.filter(pl.col("metric") == "goodput_bps").row(0, named=True))
    assert row["words"] == "not testable because flows are not steady"


def test_a_row_says_which_way_and_how_far(cells):
    rows = [cell_words.row(SWEEP, cell) for cell in cells.rows(named=True)]
    first = next(row for row in cell_words.furthest(rows) if row["metric"] == "goodput_bps")
    asked = ("implementation", "verdict", "network", "difference", "margin")
    assert [first[each] for each in asked] == ["corrections: none", "higher", "20ms, flows 1", "+20%", "5 %"]
    assert first["far"] == pytest.approx(4, rel=0.1)
    # Student's interval of seven 0 and seven −3: −1.5 ± 2.160 · 1.557 / √14 = −1.5 ± 0.90.
    timeouts = next(row for row in rows if row["metric"] == "timeouts")
    assert (timeouts["difference"], timeouts["interval"]) == ("−1.5", "−2.4 to −0.6")


def test_the_files_have_every_verdict_with_its_interval(cells):
    written = json.loads(json.dumps(certificate_files.as_json(SWEEP, cells)))
    assert written["margins"]["goodput_bps"] == {"share_of_linux": 0.05, "or": 0.0, "unit": "bit/s"}
    assert (written["seed"], written["runs"], written["linux"]) == (1, list(RUNS), [])
    (higher,) = [each for each in written["comparisons"] if each["verdict"] == "higher"]
    assert higher["ratio_low"] < 1.2 < higher["ratio_high"]
    assert (higher["network"], higher["implementation"]) == ({"delay": "20ms", "flows": "1"}, "corrections: none")
    rows = [cell_words.row(SWEEP, cell) for cell in cells.rows(named=True)]
    text = certificate_files.markdown(SWEEP, cells, rows)
    assert "| TcpCubic | corrections: none | 1 of 2 | 0 of 2 | 2 of 2 | 1 of 2 | 1 of 1 | 5 of 9 (56 %) |" in text


@pytest.mark.browser
def test_the_page_fits_a_phone_and_only_its_matrices_scroll(cells, browser, here, monkeypatch):
    monkeypatch.setattr(certificate_files, "certified_sweep", lambda _: (SWEEP, cells, Path()))
    page, _ = certificate_files.write("certificate")
    for width in (200, 400, 1280):
        with opened(browser, here / page, width=width) as tab:
            assert tab.evaluate("document.documentElement.scrollWidth") <= width


def networks(name):
    """The network conditions of a sweep file of this project."""
    keys = ("bandwidth", "delay", "queue", "flows", "loss", "queue_disc", "ecn", "bytes")
    rows = checked_sweep.without_ns3(ROOT / "config" / name).combinations
    return {tuple(str(row[key]) for key in keys) for row in rows}


@pytest.mark.usefixtures("any_kernel")
@pytest.mark.parametrize(
    "name, least", [("certificate.yaml", 16), ("certificate-quick.yaml", 4), ("certificate-judge.yaml", 20)]
)
def test_the_networks_are_not_those_of_tuning(name, least):
    own = networks(name)
    assert len(own) >= least
    tuned = [networks(f"studies/{each}.yaml") for each in ("linux-preset", "linux", "linux-flows")]
    assert not own & set.union(*tuned)


def test_adding_names_the_file_to_add_to():
    (certify,) = commands.COMMANDS
    with pytest.raises(UserError, match="--add needs --shares FILE"):
        certify.run(argparse.Namespace(sweep="one", shares=None, add=True))
