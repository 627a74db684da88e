# SPDX-License-Identifier: MIT
"""The report's page of sweeps whose numbers are known."""

import contextlib
import html.parser
import itertools
import json
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote

import polars as pl
import pytest

from tcpsweep.core.analysis import aggregate
from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.figures import static_figures
from tcpsweep.core.identity import source_folders
from tcpsweep.core.report import cell_page, sweep_page
from tcpsweep.core.report.sections import settings
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import attributes_in_force, failures, sweep_record
from tcpsweep.registry import report
from tcpsweep.registry.tables import TABLES
from tests.core.report.made_pages import swept, words_of, written
from tests.support import synthetic

SWEEP = """\
sweep: small
title: A <b>small</b> sweep
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno+TcpCubic], bandwidth: [2Mbps, 4Mbps]}
repetitions: 3
fixed: {duration: 40s, warmup: 10s}
"""
PAGE = Path("reports/small.html")


def one_two_three(row, run):
    """Goodputs whose mean over runs 1 to 3 is 2 Mbit/s, for all flows."""
    return [run * 1e6] * row["flows"]


def made(text=SWEEP, goodput=one_two_three, **how):
    """The page of a sweep, without static figures."""
    written(text, PAGE, goodput, **how)
    return PAGE.read_text()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a page with some static figures, and with its cells' pages, for tests that only read it."""
    folder, drawn = tmp_path_factory.mktemp("whole"), static_figures.of_metrics
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.setattr(static_figures, "of_metrics", lambda *tables: itertools.islice(drawn(*tables), 2))
        sweep = synthetic.sweep(SWEEP, one_two_three)
        static_figures.write(sweep)
        cell_page.write(sweep, PAGE.with_name("small_files"))
        sweep_page.write(sweep, PAGE, report)
    return folder


class Page(html.parser.HTMLParser):
    """A page's ids, links, tags, attributes, and texts."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.tags, self.words, self.attributes = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if (tag, name) == ("a", "href")]

    def handle_data(self, data):
        self.words.append(data.strip())


@pytest.fixture(scope="module")
def words(whole):
    """The texts of the whole page's elements."""
    return Page((whole / PAGE).read_text()).words


def without_scripts(text):
    """A page without its scripts, and without the styles that belong to one of them."""
    return re.sub(r"<(script|style id)\b.*?</(script|style)>", "", text, flags=re.DOTALL)


def test_the_page_needs_nothing_else_and_has_the_sweep_file_as_text_and_each_cells_command(whole, words):
    page, text = Page((whole / PAGE).read_text()), without_scripts((whole / PAGE).read_text())
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    assert not [value for name, value in page.attributes if name in ("src", "srcset") or name.startswith("on")]
    assert "@import" not in text
    assert set(re.findall(r"https?://[^\"' ]+", text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert '<h1 id="title">A &lt;b&gt;small&lt;/b&gt; sweep</h1>' in text
    assert "<b>" not in text
    assert SWEEP.strip() in words
    commands = json.loads((whole / "results/sweeps/small/commands.json").read_text())
    assert len(commands) == 12
    assert {*commands, *commands.values()} <= set(words)


def test_ids_are_unique_and_every_reference_has_its_target(whole):
    text = (whole / PAGE).read_text()
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert set(re.findall(r"url\(#([^)]+)\)", without_scripts(text))) <= set(page.ids)
    for link in page.links:
        if link.startswith("#"):
            assert link[1:].partition("?")[0] in page.ids
        else:
            assert (whole / PAGE.parent / unquote(link)).is_file(), link


def test_the_page_says_what_was_swept_how_much_of_it_is_there_and_ns3s_habits_with_the_values_in_force(words):
    said = re.sub(r"\s+", " ", " ".join(words))
    for part in (
        *("TcpCubic, TcpNewReno+TcpCubic", "2Mbps, 4Mbps", "4, each with 3 runs (numbers 1 to 3), seed 1"),
        *("12 of 12 finished", "dumbbell, ns-3 3.44", "12 of 12 simulations passed all their checks: 12 checks"),
        *("minimum retransmission timeout is 1s", "acknowledge every 2 segments", "begins with 10 segments"),
    ):
        assert part in said
    assert "failed a consistency check" not in said
    # Runs of 1, 2 and 3 Mbit/s: s = 1, t(0.975; 2) = 4.303 (any table), so 2 ± 4.303 / √3 = 2 ± 2.48.
    # 2.0 ± 2.5, but a goodput cannot be below 0.
    assert words.count("[0.0, 4.5]") >= 6
    # What is the same everywhere, as Jain's index is here, has no column but a sentence.
    assert "Jain's fairness index: 1 everywhere." in words


def test_a_paragraph_on_the_method_has_the_values_of_the_sweep(words):
    (text,) = (each for each in words if each.startswith("We simulated TCP with ns-3 3.44, run by tcpsweep "))
    for part in (
        "The scenario was dumbbell with",
        "We compared TcpNewReno+TcpCubic with TcpCubic in 2 network conditions (bandwidth 2Mbps and 4Mbps), with 3 "
        "repetitions each and common random numbers (seed 1).",
        "Each simulation lasted 40s; the first 10s were not measured.",
        "All simulations passed tcpsweep's consistency checks.",
    ):
        assert part in text


def test_settings_that_make_a_comparison_void_are_on_the_page(here, words):
    text = made(SWEEP.replace("warmup: 10s", "warmup: 10s, access_bandwidth: 3Mbps"))
    warning = "an access link of 3Mbps is no faster than the bottleneck, 4Mbps"
    assert f"{warning}: packets may queue elsewhere than at the shared link (2 of 4 combinations)" in text
    assert not any("an access link" in each for each in words)


def test_failed_cells_are_named_with_their_logs_end_without_this_machines_paths(here):
    folder = swept(SWEEP, one_two_three, fails=lambda row, run: run == 2 and row["variant"] == "TcpCubic")
    failed = sorted(layout.FAILED.iterdir())
    (failed[0] / "log.txt").write_text(f"{here}/build/dumbbell: cannot open {here}/results/raw/x\n")
    sweep_page.write(folder, PAGE, report)
    text = PAGE.read_text()
    page = Page(text)
    assert len(failed) == 2
    assert "10 of 12 finished, 2 failed" in " ".join(page.words)
    assert {each.name for each in failed} <= set(page.words)
    assert "line 30 &lt;of the log&gt;" in text
    assert "line 20" not in text
    assert "build/dumbbell: cannot open results/raw/x" in text
    for path in (str(here), str(Path.home()), str(source_folders.ROOT), sys.prefix):
        assert path not in text
    # Runs 1 and 3 are left: s = √2, t(0.975; 1) = 12.706, so 2 ± 12.706.
    assert "[0.0, 14.7]" in page.words  # 2 ± 13


def test_a_missing_cell_without_a_record_is_named_too(here):
    made()
    folder = Path("results/sweeps/small")
    gone = sweep_record.read(folder).cells[0].cell
    shutil.rmtree(layout.CELLS / gone)
    aggregate.write_tables(folder, TABLES)
    sweep_page.write(folder, PAGE, report)
    assert "11 of 12 finished, 1 missing" in " ".join(Page(PAGE.read_text()).words)
    assert [failure.cell for failure in failures.failures(folder)] == [gone]


def test_settings_are_shown_once_or_by_value_with_times_as_people_write_them(whole):
    with contextlib.chdir(whole):
        folder = Path("results/sweeps/small")
        common, differing = settings.settings_in_force(sweep_record.read(folder), attributes_in_force.read(folder))
    assert common == synthetic.SETTINGS
    # Two variants with three runs each have either bandwidth.
    values = [("2Mbps", 6, "bandwidth 2Mbps"), ("4Mbps", 6, "bandwidth 4Mbps")]
    assert differing == [("ns3::TcpSocketBase::MaxQueue", values)]
    times = {"+1e+09ns": "1s", "+200000000ns": "200ms", "10": "10", "+1s": "1s", "+-1ns": "+-1ns"}
    assert {value: settings.readable(value) for value in times} == times


def test_a_preset_is_named_with_its_values_and_their_sources(here, words):
    assert not [word for word in words if "It is used only with preset" in word]  # it is used everywhere
    assert "The preset linux" in words and "The preset linux" not in Page(made(f"{SWEEP}tcp: ns-3\n")).words
    text = SWEEP.replace("bandwidth: [2Mbps, 4Mbps]", "preset: [none, linux]")
    own = Page(made(text + "attributes: {ns3::TcpSocket::InitialCwnd: 4}\n"))
    words = [word for word in own.words if word]
    at = words.index("The preset linux")
    assert "It is used only with preset linux." in words[at + 1]
    row = words.index("ns3::TcpSocketBase::MinRto", at)
    assert words[row + 1 :][:2] == ["200ms", "TCP_RTO_MIN, HZ/5: include/net/tcp.h"]
    row = words.index("ns3::TcpSocket::InitialCwnd", at)
    assert words[row + 1 :][:2] == ["10", "4"]


def test_flows_that_are_not_steady_are_counted(here):
    # The window is reduced at 15, 20, …, 40 s, six times after the warm-up, but here only three times.
    few = {
        "congestion_state": [
            (t + end, flow, state) for t in (15, 20, 30) for end, state in ((0, 3), (1, 0)) for flow in (0, 1)
        ]
    }
    text = made(traces=lambda row, run: few if row["bandwidth"] == "2Mbps" else {})
    words = Page(text).words
    at = words.index("TcpCubic, bandwidth 2Mbps")
    _, variant, why, helps = [word for word in words[at:] if word][:4]
    assert variant == "TcpCubic"
    assert (why, helps) == ("3 congestion epochs a flow", "a duration 1.7 times as long after the warm-up")
    assert "TcpCubic, bandwidth 4Mbps" not in words


def test_identical_runs_are_called_deterministic(here):
    text = made(goodput=lambda row, run: [1e6] * 2)
    assert "bandwidth 2Mbps: 1 distinct of 3 runs (deterministic)" in text
    assert "3, identical" in text


def test_a_sweep_may_have_one_run_or_no_finished_one(here):
    words = " ".join(Page(made(fails=lambda row, run: True)).words)
    assert "0 of 12 finished, 12 failed" in words
    assert "No simulation has a result yet." in words
    text = SWEEP.replace("[TcpCubic, TcpNewReno+TcpCubic]", "[TcpBbr]").replace("[2Mbps, 4Mbps]", "[2Mbps]")
    words = " ".join(Page(made(text.replace("repetitions: 3", "runs: [7]"))).words)
    assert "1, each with 1 run (number 7), seed 1" in words
    assert "1 of 1 finished" in words


def test_the_audit_is_in_the_first_screen_and_names_what_does_not_agree(here):
    text = made(off=lambda row, run: 7 if (row["variant"], row["bandwidth"], run) == ("TcpCubic", "2Mbps", 2) else 0)
    page = Page(text)
    assert "11 of 12 simulations passed all their checks" in " ".join(page.words)
    assert text.index("✘ 11 of 12") < text.index('href="#audit"') < text.index('id="explore"')
    assert 'href="#audit"' in text
    assert 'id="links"' not in text and 'href="#links"' not in text, "nothing is said of links"
    at = page.words.index("sink_bytes")
    assert [word for word in page.words[at:] if word][:5] == ["sink_bytes", "0", "1000", "1007", "7"]
    assert "(TcpCubic, bandwidth 2Mbps, run 2)" in page.words
    folder = Path("results/sweeps/small")
    table = pl.read_parquet(folder / "audit.parquet")
    assert table.height == 12
    assert table.filter(pl.col("check").is_not_null()).select("checks", "agreeing", "difference").rows() == [(1, 0, 7)]
    assert len((folder / "audit.csv").read_text().splitlines()) == 13


TWO = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpCubic, TcpBbr], bandwidth: [2Mbps, 4Mbps]}
repetitions: 14
fixed: {duration: 40s, warmup: 10s}
"""


def unequal(row, run):
    return [(2e6 if row["variant"] == "TcpBbr" else 1e6) + run * 1e3 + flow * 10 for flow in range(row["flows"])]


def test_verdicts_say_how_large_effects_are_their_family_and_what_was_lost(here):
    text = made(TWO, unequal, fails=lambda row, run: (row["variant"], row["bandwidth"], run) == ("TcpBbr", "4Mbps", 3))
    words = words_of(text)
    assert re.search(r"TcpBbr > TcpCubic in 1 of 2 network conditions, by [0-9]+ % \([0-9to ]+\)", words)
    assert "more runs lost on one side in 1 (TcpBbr 1, TcpCubic 0)" in words
    assert "<td>primary</td>" in text
    assert "<td>exploratory</td>" in text


def test_variants_with_settings_of_their_own_are_compared_and_the_page_says_what_goes_with_each(here):
    zipped = "grid: {bandwidth: [2Mbps, 4Mbps]}\nzip: {variant: [TcpCubic, TcpBbr], queue: [20p, 40p]}"
    text = made(TWO.replace("grid: {variant: [TcpCubic, TcpBbr], bandwidth: [2Mbps, 4Mbps]}", zipped), unequal)
    words = words_of(text)
    assert re.search(r"TcpBbr > TcpCubic in 2 of 2 network conditions, by [0-9]+", words)
    assert words.count("CUBIC has queue 20p; BBR has queue 40p.") == 2
    assert re.search(r"2 variants × 2 .*network conditions.* × 14 .*repetitions", words)
    folder = Path("results/sweeps/small")
    assert {"bandwidth_bps"} == {*pl.read_parquet(folder / "effects.parquet").columns} & {"bandwidth_bps", "queue"}
    assert {"bandwidth_bps", "queue"} < {*pl.read_parquet(folder / "summary.parquet").columns}
    told = finished_sweep.for_stream(finished_sweep.closing_of_tables(folder).tables)
    assert "(CUBIC has queue 20p; BBR has queue 40p.)" in told
    assert re.search(r"BBR +2Mbps +.*\+\d+%", told)


def test_a_trend_that_all_runs_share_is_named_and_takes_part_in_no_verdict(here):
    def rising(row, run):
        if row["variant"] != "TcpBbr":
            return {}
        rate = 1e5 + run * 100
        rows = [(t, f, round(rate * t * (1 + t / 80))) for t in range(41) for f in range(row["flows"])]
        return {"received_bytes": rows}

    words = words_of(made(TWO, unequal, traces=rising))
    assert re.search(r"trend of the goodput \+[0-9.]+ % \(.*?a longer warmup", words)
    assert "not steady in 2 of 2 network conditions (TcpBbr in 2, TcpCubic in 0)" in words


def test_the_reason_why_nothing_was_tested_is_said_once_and_differences_stand_there(here):
    words = words_of(made(TWO.replace("repetitions: 14", "repetitions: 3"), unequal))
    refused = r"No verdict in any network condition: \d+ comparisons?, <q>too few runs</q> \(too few repetitions\)"
    assert len(re.findall(refused, words)) == 1
    row = re.search(r"Goodput per flow</th><td>TcpBbr − TcpCubic</td>(.*?)</tr>", words)[1]
    # 2 Mbit/s to 1, in whole packets.
    assert re.search(r">\+(1|0\.99\d?) Mbit/s", row)
    assert ">no spread<" in row
