# SPDX-License-Identifier: MIT
"""The sweep's page as users see it: light and dark, wide and narrow, with only keys, on paper, and fast."""

import json
import re

import pytest

from tcpsweep.core.report import page_parts
from tests.core.report.seen_pages import look, opener, wait
from tests.support.chromium import expect, opened, violations, wait_until
from tests.support.tools import PATIENCE_S

pytestmark = pytest.mark.browser


@pytest.fixture
def page(known):
    return known / "reports" / "known.html"


@pytest.fixture
def shown(known, browser):
    return opener(browser, known / "reports", "known.html")


def unfold(tab):
    tab.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    wait_until(tab, """[...document.querySelectorAll("main table.data")].every((each) => "equipped" in each.dataset)""")
    wait(tab)


def with_data(page, place, changed):
    """The same page with other data."""
    text = page.read_text(encoding="utf-8")
    begin = '<script id="page-data" type="application/json">'
    before, begin, rest = text.partition(begin)
    old, end, after = rest.partition("</script>")
    new = str(page_parts.as_json(changed(json.loads(old))))
    place.write_text(before + begin + new + end + after, encoding="utf-8")


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1440, "light")])
def test_axe_finds_nothing_with_all_of_it_unfolded_and_nothing_is_wider_than_the_window(shown, width, scheme):
    with shown(width=width, scheme=scheme) as tab:
        room = "document.querySelector('.card .scroll')"
        assert tab.evaluate(f"{room}.scrollWidth - {room}.clientWidth") <= 0
        assert violations(tab) == []
        unfold(tab)
        assert violations(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_score_card_says_the_metric_in_each_cell_on_a_telephone(shown):
    with shown(width=400) as tab:
        (title, *_) = tab.locator(".card tbody tr[data-variant=TcpBbr] td").evaluate_all(
            "cells => cells.map((cell) => getComputedStyle(cell, '::before').content)"
        )
        assert title == '"Goodput per flow"'


def test_the_first_screen_is_a_picture_with_few_words_and_the_page_is_short_and_whole(shown):
    with shown(width=1440) as tab:
        for picture, lowest in ((".answers svg", 350), (".card svg", 800), ("#overview-plane svg.marks", 800)):
            assert tab.locator(picture).first.bounding_box()["y"] < lowest
        assert (
            len(look(tab, "words")) <= 155
        )  # with shares in a mix, seven headline metrics, findings, and a certificate
        assert tab.evaluate("document.documentElement.scrollHeight") <= 8000
        room = "document.getElementById('results-table').closest('.scroll')"
        assert tab.evaluate(f"{room}.scrollWidth - {room}.clientWidth") <= 0
        assert "`" not in tab.evaluate("document.querySelector('main').textContent").partition("sweep: known")[0]


def test_a_finding_leads_to_its_figure(shown):
    with shown() as tab:
        tab.locator(".findings a").first.click()
        wait_until(tab, "/[▲▼]/.test(document.querySelector('#explorer .chart').textContent)")
        assert tab.locator("#explorer select[name=kind]").input_value() == "heat map"
        assert "#explore?" in tab.url


@pytest.mark.parametrize("width", [400, 1280])
def test_networks_with_long_names_fit_their_figure(page, browser, tmp_path, width):
    long = {"delay": "delay of a link that has a name of many words", "bandwidth": "bandwidth of it, forward"}

    def renamed(data):
        return data | {"axes": [axis | {"title": long.get(axis["name"], axis["title"])} for axis in data["axes"]]}

    with_data(page, tmp_path / "long.html", renamed)
    with opened(browser, tmp_path / "long.html", "#networks", width=width) as tab:
        figure = tab.locator("#networks-figure")
        wait_until(tab, "document.getElementById('networks-figure').dataset.drawn")
        drawn, room = figure.locator("svg.marks").bounding_box(), figure.bounding_box()
        assert drawn["x"] + drawn["width"] <= room["x"] + room["width"]
        heads = figure.locator(".role-column-title text, .role-title text").all_text_contents()
        assert any("4Mbps" in head for head in heads), heads


def test_the_first_screen_breaks_no_word_and_cuts_no_picture_at_any_width(shown):
    with shown(width=1440) as tab:
        for width in (961, 1130, 1200, 1280, 1440):
            drawn = int(tab.evaluate("document.getElementById('overview-plane').dataset.drawn"))
            if width != tab.viewport_size["width"]:
                tab.set_viewport_size({"width": width, "height": 900})
                wait_until(tab, f"document.getElementById('overview-plane').dataset.drawn > {drawn}")
            assert look(tab, "broken") == []
            plane, room = (
                tab.locator(name).bounding_box() for name in ("#overview-plane svg.marks", "#overview-plane")
            )
            assert plane["x"] + plane["width"] <= room["x"] + room["width"] + 1


def test_a_term_is_explained_to_keys_and_escape_hides_it(shown):
    with shown() as tab:
        for name in ("network conditions", "repetitions", "simulations", "Compared with", "mix"):
            term = tab.get_by_role("button", name=name, exact=True)
            term.focus()
            tip = tab.locator(f"#{term.get_attribute('aria-describedby')}")
            assert tip.is_visible()
            box = tip.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 1440
            tab.keyboard.press("Escape")
            assert not tip.is_visible()


def test_any_metric_can_be_a_column_of_the_table_of_results(shown):
    with shown() as tab:
        before = tab.locator("#results-table thead th").count()
        tab.locator("select[name=results-column]").select_option("rtt_mean_s")
        wait_until(tab, f"document.querySelectorAll('#results-table thead th').length === {before + 1}")
        wait(tab)
        heads = tab.locator("#results-table thead th").all_inner_texts()
        column = next(number for number, head in enumerate(heads) if head.startswith("Mean round-trip"))
        # 50 ms and 10 ms more each second, again from the fifth on: a mean of 70 ms.
        texts = tab.locator(f"#results-table tbody tr td:nth-child({column + 1})").all_inner_texts()
        assert len(texts) == 15
        assert all(float(text.split()[0]) == pytest.approx(70, abs=5) for text in texts)


def test_a_figure_that_is_asked_for_again_while_it_is_drawn_stands_there_once(shown):
    with shown() as tab:
        # Each new width redraws all figures before the last drawing is done.
        for width in (1200, 1100, 1300):
            tab.set_viewport_size({"width": width, "height": 4000})
        wait_until(tab, "document.documentElement.clientWidth === 1300")
        wait(tab)
        drawn = """[...document.querySelectorAll(".chart")].map((each) => each.querySelectorAll("svg.marks").length)"""
        wait_until(tab, f"{drawn}.every((each) => each >= 1)")
        assert max(tab.evaluate(drawn)) == 1


def test_the_question_what_a_metric_is_leads_to_its_row(shown):
    with shown("#explore?kind=lines&metric=jain") as tab:
        assert "Jain's fairness index: (Σ" in tab.locator("#explore .definition").inner_text()
        tab.locator("#explore .definition a:not(.defects)").click()
        wait(tab)
        assert tab.locator("#metric-jain").is_visible()
        wait_until(
            tab, "((top) => 0 <= top && top < 900)(document.getElementById('metric-jain').getBoundingClientRect().top)"
        )


def test_what_a_link_leads_to_stays_in_view_while_the_page_grows_until_the_reader_goes_elsewhere(shown):
    with shown("#explore?kind=lines&metric=jain") as tab:
        tab.locator("#explore .definition a:not(.defects)").click()
        top = "document.getElementById('metric-jain').getBoundingClientRect().top"
        grow = "document.querySelector('main').firstElementChild.style.paddingBottom = '{}px'"
        for padding in (800, 3000, 0):
            tab.evaluate(grow.format(padding))
            wait_until(tab, f"0 <= {top} && {top} < 900")
        before = tab.evaluate("scrollY")
        tab.mouse.wheel(0, -500)
        wait_until(tab, f"scrollY < {before}")
        here = tab.evaluate(top)
        tab.evaluate(grow.format(900))
        tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert tab.evaluate(top) >= here


def test_a_highlighted_variant_stands_out_in_the_heat_map(shown):
    with shown("#explore?kind=heat+map&mark=TcpCubic") as tab:
        found = tab.evaluate(
            "[...document.querySelectorAll('#explorer .mark-rect path')].map((path) => path.getAttribute('opacity'))"
        )
        assert sorted(set(found)) == ["0.25", "1"]
        assert found.count("1") == 4 + 1  # its boxes, and the legend


def test_a_dark_page_is_printed_in_dark_ink_on_white(shown):
    with shown(scheme="dark") as tab:
        tab.emulate_media(media="print")
        colours = """(([name, property]) => getComputedStyle(document.querySelector(name))[property])"""
        asked = [("#overview-plane svg.marks text", "fill"), ("h1", "color"), (".card td", "color")]
        found = [tab.evaluate(colours, each) for each in [*asked, (".panel", "backgroundColor")]]
        brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 for colour in found]
        assert max(brightness[:3]) < 110
        assert brightness[3] == 255


def test_a_figure_is_saved_with_its_colours(shown, tmp_path):
    with shown() as tab:
        for kind in ("SVG", "PNG"):
            with tab.expect_download() as download:
                tab.locator(".panel .save").get_by_role("button", name=f"Save as {kind}").click()
            download.value.save_as(tmp_path / f"plane.{kind}")
    assert "var(" not in (tmp_path / "plane.SVG").read_text()
    assert (tmp_path / "plane.PNG").read_bytes().startswith(b"\x89PNG")


def test_all_pages_share_the_readers_choice_of_colours(shown):
    with shown() as tab:
        ink = "getComputedStyle(document.querySelector('#overview-plane svg.marks text')).fill"
        light = tab.evaluate(ink)
        button = tab.locator("#scheme")
        expect(button).to_have_attribute("aria-label", "Colours: auto; press for light", timeout=PATIENCE_S * 1000)
        button.click()
        button.click()
        page = tab.locator("html")
        expect(page).to_have_attribute("data-scheme", "dark", timeout=PATIENCE_S * 1000)
        assert tab.evaluate(ink) != light
        tab.reload()
        expect(page).to_have_attribute("data-scheme", "dark", timeout=PATIENCE_S * 1000)
        expect(button).to_have_text(re.compile("☾"), timeout=PATIENCE_S * 1000)


def test_keys_alone_reach_contents_findings_controls_and_tables(shown):
    on = "(() => { const on = document.activeElement; return on.name || on.id || on.textContent.trim(); })()"
    with shown() as tab:
        reached = set()
        for _ in range(120):
            tab.keyboard.press("Tab")
            reached.add(tab.evaluate(on).split("\n")[0][:40])
    wanted = {"Overview", "Method", "scheme", "network conditions", "SVG", "kind", "metric", "networks-metric", "mix"}
    assert wanted <= reached
    assert any(name.startswith("BBR gets") for name in reached)
