# SPDX-License-Identifier: MIT
"""The report's figures of traffic in Chromium: chosen groups, metrics and networks are in the address."""

import contextlib

import pytest

from tcpsweep.core.analysis import traffic_groups
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.report import sweep_page
from tcpsweep.core.sweep import sweep_tables
from tcpsweep.features.traffic import slowdown_distributions
from tcpsweep.registry import report
from tests.core.report.made_pages import written
from tests.core.report.seen_pages import choose, opener
from tests.support import made_traffic
from tests.support.chromium import violations

pytestmark = pytest.mark.browser
SWEEP = """\
sweep: made
scenario: dumbbell
grid: {variant: [TcpCubic, TcpBbr], delay: [5ms, 10ms]}
repetitions: 3
fixed: {duration: 4s, warmup: 1s}
"""
CURVE = ([1.0, 2.0, 40.0], [1.0, 0.5, 0.01])


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages with traffic: made.html also has flows, with their score card first; alone.html has only traffic."""
    here = tmp_path_factory.mktemp("traffic")
    with contextlib.chdir(here), pytest.MonkeyPatch.context() as patch:
        made, plain = made_traffic.table(4, lambda number: 1.0 + number), sweep_tables.read
        patch.setattr(
            sweep_tables, "read", lambda at, name, *more: made if name == "traffic" else plain(at, name, *more)
        )
        patch.setattr(traffic_groups, "kinds", lambda sweep: made_traffic.KINDS)
        patch.setattr(slowdown_distributions, "curves", lambda sweep, runs: {"short": CURVE})
        folder = written(SWEEP, "reports/made.html", lambda row, run: [1e6 * (1 + run / 1e3)] * 2)
        for name in ("summary", "flows", "effects"):  # as if no flow was measured, and no queue
            patch.setattr(SweepResults, name, property(lambda results, name=name: results.table(name).clear()))
        patch.setattr(SweepResults, "measured", set())
        sweep_page.write(folder, "reports/alone.html", report)
    return here / "reports"


@pytest.fixture
def shown(pages, browser):
    return opener(browser, pages, "made.html")


def texts(tab, name):
    return tab.locator(f"#{name} svg text").all_text_contents()


def test_slowdown_is_drawn_by_size_and_percentile_and_its_distribution_by_variant(shown):
    with shown() as tab:
        said = texts(tab, "traffic-sizes")
        assert {"median", "95th percentile", "99th percentile", "≤ 10 kB", "> 1 MB", "∞"} <= set(said)
        assert tab.locator("#traffic-slowdown .infinite").is_visible()
        assert tab.locator("#traffic-distribution .mark-line path").count() == 2
        assert "share of flows with as much or more" in texts(tab, "traffic-distribution")


def test_a_group_has_its_own_metrics_and_stands_in_the_address(shown):
    with shown() as tab:
        choose(tab, "select[name='traffic group']", "answers", "#traffic-metric")
        assert "Goodput of rounds [Mbit/s]" in texts(tab, "traffic-metric")
        assert not tab.locator("#traffic-slowdown").is_visible()
        choose(tab, "select[name='traffic metric']", "round_time_p99_s", "#traffic-metric")
        fragment = tab.url.partition("#")[2]
        assert "traffic+group=answers" in fragment
    with shown(f"#{fragment}") as tab:
        assert "Round time, 99th percentile [ms]" in texts(tab, "traffic-metric")


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1280, "light")])
def test_axe_finds_nothing_in_it(shown, width, scheme):
    with shown("#traffic", width=width, scheme=scheme) as tab:
        assert [each for each in violations(tab) if "raffic" in each[1]] == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_where_nothing_else_was_measured_the_page_begins_with_it_and_has_no_empty_panels(shown):
    with shown(page="alone.html") as tab:
        assert tab.locator(".contents a").all_inner_texts()[:2] == ["Overview", "Traffic"]
        assert "short: mean slowdown" in tab.locator(".card thead").inner_text()
        assert tab.locator("#explore, #networks, #overview-plane").count() == 0
        for chart in tab.locator("main .chart").all():
            assert chart.locator("svg.marks").count() == 1
