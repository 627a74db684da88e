# SPDX-License-Identifier: MIT
"""The drawing of networks on the pages of a sweep and a cell, with choices by mouse and by keys."""

import contextlib
import itertools
import json
from pathlib import Path

import pytest

from tcpsweep.report import cell_page, network_drawing, page_parts
from tcpsweep.report.sections import networks
from tests.report.made_pages import written
from tests.support import drawn_networks
from tests.support.chromium import opened, violations, wait_until

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


def loads(drawing, part):
    values = {(link, "forward"): {"utilisation": used * part} for link, used in USED.items()}
    values["second", "forward"]["network_queueing_delay_mean_s"] = 0.0123
    return network_drawing.loads(drawing, values)


def of_sweep(sweep, links, finished):
    """Like `networks.drawn_networks`: two hops with 10 ms of delay, and otherwise one switch with 32 hosts."""
    drawings = [network_drawing.drawing(*drawn_networks.two_hops()), network_drawing.drawing(*drawn_networks.star(32))]
    combinations = []
    for number, row in enumerate(sweep.combinations):
        graph = int(row["delay"] == "5ms")
        own = loads(drawings[0], 1 if row["variant"] == "TcpCubic" else 0.5) if not graph else {}
        at = [["TcpCubic", "TcpBbr"].index(row["variant"]), ["5ms", "10ms"].index(row["delay"])]
        cells = [[run.run, run.cell] for run in finished if run.combination == number]
        variants = [row["variant"]] * len(drawings[graph].shown["groups"])
        combinations.append({"at": at, "graph": graph, "variants": variants, "loads": own, "cells": cells})
    values = {"variant": ["TcpCubic", "TcpBbr"], "delay": ["5ms", "10ms"]}
    return {
        "axes": [{"name": name, "title": name, "values": own} for name, own in values.items()],
        "metrics": network_drawing.shown_metrics(each["loads"] for each in combinations),
        "graphs": [drawing.shown for drawing in drawings],
        "combinations": combinations,
        "pages": "drawn_files/",
    }


def of_cell(row, record, measures):
    drawing = network_drawing.drawing(*drawn_networks.two_hops())
    own = loads(drawing, 1)
    shown = network_drawing.shown_metrics([own])
    data = {"graph": drawing.shown, "metrics": shown, "loads": own, "variants": ["TcpCubic", "TcpCubic"]}
    return {
        "metrics": [(each["name"], each["title"], each["unit"]) for each in shown],
        "data": page_parts.as_json(data),
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    here = tmp_path_factory.mktemp("drawn")
    with contextlib.chdir(here), pytest.MonkeyPatch.context() as patch:
        patch.setattr(networks, "drawn_networks", of_sweep)
        patch.setattr(network_drawing, "network_of_cell", of_cell)
        folder = written(SWEEP, "reports/drawn.html", lambda row, run: [1e6 * (1 + run / 1e3)] * 2)
        (folder / "code").mkdir(exist_ok=True)
        (folder / "code" / "pages").write_text("code")
        (folder / "commands.json").write_text(json.dumps({cell.name: "" for cell in Path("results/cells").iterdir()}))
        cell_page.write(folder, "reports/drawn_files")
    return here / "reports"


@pytest.fixture
def shown(made, browser):
    @contextlib.contextmanager
    def shown(fragment="", page="drawn.html", **how):
        with opened(browser, made / page, fragment, **how) as tab:
            tab.wait_for_selector(".network .drawing svg .link", state="attached")
            yield tab

    return shown


def words(tab):
    return tab.locator(".network .drawing svg text").all_text_contents()


def choose(tab, name, value):
    before = int(tab.locator(".network").get_attribute("data-drawn"))
    tab.locator(f"select[name='links {name}']").select_option(label=value)
    wait_until(tab, "n => Number(document.querySelector('.network').dataset.drawn) > n", arg=before)


BOXES = """[...document.querySelectorAll(".network .drawing svg text")].map((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return [left, right, top + 2, bottom - 2];
})"""


def test_the_chosen_combination_is_drawn_and_stands_in_the_address(shown):
    with shown() as tab:
        choose(tab, "delay", "10ms")
        assert {"a", "b", "c", "first 52 %", "second 98 %"} <= set(words(tab))
        choose(tab, "variant", "TcpBbr")
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
        tab.get_by_role("button", name="cross 1 flow, TcpCubic").click()
        tab.wait_for_selector(".network .groups [aria-pressed=true]", state="attached")
        assert tab.locator(".network .chosen").inner_text().startswith("cross: 1 flow, TcpCubic, over second (98 %)")
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
        for one, other in itertools.combinations(tab.evaluate(BOXES), 2):
            assert one[1] <= other[0] or one[0] >= other[1] or one[3] <= other[2] or one[2] >= other[3]
        assert {"first 52 %", "second 98 %"} <= set(words(tab))
        tab.locator(".network .link[data-choice='link second']").press("Enter")
        tab.wait_for_selector(".network .link[data-choice='link second'][aria-pressed=true]", state="attached")
        assert "long, cross" in tab.locator(".network .chosen").inner_text()
