# SPDX-License-Identifier: MIT
"""The drawing of networks on the pages of a sweep and a cell, with choices by mouse and by keys."""

import contextlib
import itertools
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.report import cell_page, network_drawing
from tcpsweep.core.report.sections import networks
from tests.core.report.made_pages import written
from tests.core.report.seen_pages import choose, look, opener
from tests.support import drawn_networks
from tests.support.chromium import violations, wait_until

pytestmark = pytest.mark.browser
SWEEP = """\
sweep: drawn
scenario: dumbbell
grid: {variant: [TcpCubic, TcpBbr], delay: [5ms, 10ms]}
repetitions: 3
fixed: {duration: 4s, warmup: 1s}
pages: true
"""
USED = {"first": 0.52, "second": 0.98}


# Two hops with 10 ms of delay, and otherwise one switch with 32 hosts, whose links were not measured.
NETWORKS = {"10ms": drawn_networks.two_hops(), "5ms": drawn_networks.star(32)}
OF_SWEEP, OF_CELL = networks.drawn_networks, network_drawing.network_of_cell


def measures(variant="TcpCubic"):
    """The loads of the two hops, of which BBR uses half as much."""
    part = 1 if variant == "TcpCubic" else 0.5
    rows = [(link, "forward", "utilisation", used * part) for link, used in USED.items()]
    rows.append(("second", "forward", "network_queueing_delay_mean_s", 0.0123))
    return pl.DataFrame(rows, schema=["link", "direction", "metric", "value"], orient="row")


def of_sweep(sweep, links, finished):
    rows = [row.with_values({**NETWORKS[row["delay"]][0], **row}) for row in sweep.combinations]
    means = [
        measures(row["variant"]).select("link", "direction", "metric", combination=number, mean="value")
        for number, row in enumerate(rows)
        if row["delay"] == "10ms"
    ]
    return OF_SWEEP(replace(sweep, combinations=rows), pl.concat(means), finished)


def of_cell(row, record, _, names):
    return OF_CELL(*NETWORKS["10ms"], measures().with_columns(flow=None), names)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    here = tmp_path_factory.mktemp("drawn")
    with contextlib.chdir(here), pytest.MonkeyPatch.context() as patch:
        patch.setattr(networks, "drawn_networks", of_sweep)
        patch.setattr(networks, "_drawing", lambda _, row, run: network_drawing.drawing(*NETWORKS[row["delay"]]))
        patch.setattr(network_drawing, "network_of_cell", of_cell)
        folder = written(SWEEP, "reports/drawn.html", lambda row, run: [1e6 * (1 + run / 1e3)] * 2)
        (folder / "code").mkdir(exist_ok=True)
        (folder / "code" / "pages").write_text("code")
        (folder / "commands.json").write_text(json.dumps({cell.name: "" for cell in Path("results/cells").iterdir()}))
        cell_page.write(folder, "reports/drawn_files")
    return here / "reports"


@pytest.fixture
def shown(made, browser):
    link = ".network .drawing svg .link"
    return opener(browser, made, "drawn.html", lambda tab: tab.wait_for_selector(link, state="attached"))


def words(tab):
    return tab.locator(".network .drawing svg text").all_text_contents()


def test_the_chosen_combination_is_drawn_and_stands_in_the_address(shown):
    with shown() as tab:
        choose(tab, "select[name='links delay']", "10ms", ".network")
        assert {"a", "b", "c", "first 52 %", "second 98 %"} <= set(words(tab))
        choose(tab, "select[name='links variant']", "BBR", ".network")
        assert {"first 26 %", "second 49 %"} <= set(words(tab))
        assert "links+delay=10ms" in tab.url and "links+variant=TcpBbr" in tab.url
        fragment = tab.url.partition("#")[2]
    with shown(f"#{fragment}") as tab:
        assert {"first 26 %", "second 49 %"} <= set(words(tab))


def test_a_metric_is_chosen_that_not_all_links_have(shown):
    with shown("#links?links+delay=10ms") as tab:
        tab.locator("select[name='links metric']").select_option("network_queueing_delay_mean_s")
        wait_until(tab, "document.querySelector('.network svg').textContent.includes('second 12.3 ms')")
        assert not any("first 5" in each for each in words(tab))


def test_pressing_a_link_makes_others_step_back_and_says_its_numbers(shown):
    with shown("#links?links+delay=10ms") as tab:
        link = tab.locator(".network .link[data-choice='link first']")
        link.focus()
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".network .link[data-choice='link first'][aria-pressed=true]", state="attached")
        said = tab.locator(".network .chosen").inner_text()
        assert "a to b (10 Mbit/s, 10 ms, queue of 20 packets): link utilisation 52 %" in said
        assert "data of long." in said
        assert tab.locator(".network .link[data-choice='link second']").get_attribute("opacity") == "0.16"
        assert "links+shown=link+first" in tab.url
        # The key stays where it was, and lets go again.
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".network .link[data-choice='link first'][aria-pressed=false]", state="attached")
        assert tab.locator(".network .link[data-choice='link second']").get_attribute("opacity") is None


def test_pressing_a_group_of_flows_shows_where_it_goes(shown):
    with shown("#links?links+delay=10ms") as tab:
        tab.get_by_role("button", name="cross 1 flow, CUBIC").click()
        tab.wait_for_selector(".network .groups [aria-pressed=true]", state="attached")
        assert tab.locator(".network .chosen").inner_text().startswith("cross: 1 flow, CUBIC, over second (98 %)")
        assert tab.locator(".network .link[data-choice='link first']").get_attribute("opacity") == "0.16"


def test_many_equal_hosts_are_one_mark_with_their_number(shown):
    with shown("#links?links+delay=5ms") as tab:
        assert "host × 32" in words(tab)
        assert tab.locator(".network .link").count() == 2


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1280, "light")])
@pytest.mark.parametrize("page", ["drawn.html", "cell"])
def test_axe_finds_nothing_no_word_lies_on_another_and_the_page_does_not_scroll(made, shown, page, width, scheme):
    if page == "cell":
        page = next(each.relative_to(made) for each in sorted((made / "drawn_files").glob("*.html")))
    with shown("#links?links+delay=10ms", page, width=width, scheme=scheme) as tab:
        found = [each for each in violations(tab) if "network" in each[1] or "links" in each[1] or "<g " in each[1]]
        assert found == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.locator(".network svg").bounding_box()["x"] >= 0
        for one, other in itertools.combinations(look(tab, "networkTexts"), 2):
            assert one[1] <= other[0] or one[0] >= other[1] or one[3] <= other[2] or one[2] >= other[3]
        assert {"first 52 %", "second 98 %"} <= set(words(tab))
        tab.locator(".network .link[data-choice='link second']").press("Enter")
        tab.wait_for_selector(".network .link[data-choice='link second'][aria-pressed=true]", state="attached")
        assert "long, cross" in tab.locator(".network .chosen").inner_text()
