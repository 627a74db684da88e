# SPDX-License-Identifier: MIT
"""The cells' pages in Chromium: their view and controls, in both colour schemes, on paper, by keyboard."""

import contextlib
import json
from pathlib import Path

import pytest

from tcpsweep.core.report import cell_page
from tests.core.report.seen_pages import look
from tests.support import synthetic
from tests.support.chromium import opened, violations, wait_until

pytestmark = pytest.mark.browser
PLACE = Path("reports/small_files")
SWEEP = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpCubic, TcpBbr, TcpNewReno+TcpCubic]}
repetitions: 3
fixed: {bandwidth: 4Mbps, duration: 20s, warmup: 2s, flows: 4}
"""
SHARED = {"cells.js", "cells.css"}


def goodput(row, run):
    return [2e6] + [0.5e6] * (row["flows"] - 2) + [0.0]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder of the pages; in each cell the last flow receives nothing."""
    folder = tmp_path_factory.mktemp("pages")
    with contextlib.chdir(folder):
        cell_page.write(synthetic.sweep(SWEEP, goodput), PLACE)
    return folder / PLACE


@pytest.fixture
def shown(browser, pages):
    """Opens the page of a variant's run with its charts drawn."""

    @contextlib.contextmanager
    def shown(variant="NewReno+", run=2, **options):
        (page,) = pages.glob(f"*{variant}*-r{run}-*.html")
        with opened(browser, page, **options) as tab:
            drawn(tab)
            yield tab

    return shown


def drawn(tab, times=1):
    """Wait until the charts have been drawn this number of times."""
    wait_until(tab, "times => Number(document.getElementById('timeline').dataset.drawn) >= times", arg=times)


def fields(tab):
    return [float(tab.locator(f"input[name={name}]").input_value()) for name in ("from", "to")]


def time_labels(tab, chart):
    """The numbers on a chart's axis of time."""
    texts = tab.locator(f".plot[data-chart={chart}] .role-axis-label").first.locator("text").all_text_contents()
    return [float(text) for text in texts if text]


# What is seen


def test_pages_are_small_beside_a_script_and_a_style_that_all_share(pages):
    assert {path.name for path in pages.iterdir() if path.suffix != ".html"} == SHARED
    texts = [page.read_text() for page in pages.glob("*.html")]
    assert all(f'src="{name}"' in text or f'href="{name}"' in text for text in texts for name in SHARED)
    assert max(len(text.encode()) for text in texts) <= 250_000


@pytest.mark.parametrize("width", [400, 1024, 1440])
def test_charts_are_as_wide_as_the_page_and_their_plots_lie_below_each_other(shown, width):
    with shown(width=width) as tab:
        boxes = look(tab, "plotEnds")
        (main,) = tab.evaluate("[document.querySelector('main').getBoundingClientRect().toJSON()]")
        assert len({tuple(round(end) for end in box) for box in boxes}) == 1
        assert boxes[0][0] - main["left"] <= 16 + 50
        assert main["right"] - boxes[0][1] <= 16 + 4
        assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_first_screen_tells_what_happened_and_shows_the_first_chart(shown):
    with shown(fragment="#from=4&to=8.5") as tab:
        story = tab.locator(".story").inner_text()
        assert "no retransmission timer expired" in story
        assert "Flow 3 (CUBIC) starved from 0 to 20 s" in story
        assert tab.locator("figure").first.bounding_box()["y"] < 450
        # The bar of the flow that starves lies along the lower edge of the goodput.
        assert tab.locator(".plot[data-chart=goodput] line[stroke='var(--flow-3)']").count() == 1
        # A time in the sentences is shown by a click.
        tab.get_by_role("link", name="from 0 to 20 s").click()
        drawn(tab, 2)
        assert fields(tab) == [0, 20]
        # cwnd goes from 10 to 14 segments; ssthresh is infinite for two seconds.
        labels = tab.locator(".plot[data-chart=window]").first.locator(".role-axis-label text").all_text_contents()
        assert "15" in labels or "14" in labels
        assert "ssthresh is infinite from 0 to 2 s" in tab.locator("figure[data-flow='0'] .note").inner_text()


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1440, "light")])
def test_axe_finds_nothing(shown, scheme, width):
    with shown(scheme=scheme, width=width) as tab:
        tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert violations(tab) == []
        tab.get_by_role("button", name="Closer").click()
        drawn(tab, 2)
        assert violations(tab) == []


def test_charts_follow_the_scheme_at_once_and_on_paper_are_black_on_white_and_fit(shown):
    with shown(width=1440) as tab:
        light = look(tab, "colours")
        tab.emulate_media(color_scheme="dark")
        dark = look(tab, "colours")
        assert all(light[name] != dark[name] for name in light)
        tab.emulate_media(color_scheme="dark", media="print")
        paper = look(tab, "colours")
        assert paper["ground"] == "rgb(255, 255, 255)"
        assert paper["line"] == light["line"]
        assert not tab.locator(".timebar button").first.is_visible()
        tab.set_viewport_size({"width": 1000, "height": 700})  # A4 landscape within its margins
        assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert len(tab.pdf(landscape=True, format="A4")) > 10_000


# What is chosen


def test_a_drag_chooses_the_time_that_all_charts_show_and_a_double_click_all_of_it(shown):
    with shown() as tab:
        box = tab.locator(".plot[data-chart=overview] path.background").first.bounding_box()
        y = box["y"] + box["height"] / 2
        tab.mouse.move(box["x"] + box["width"] / 4, y)
        tab.mouse.down()
        tab.mouse.move(box["x"] + box["width"] / 2, y, steps=3)
        tab.mouse.up()
        drawn(tab, 2)
        assert fields(tab) == pytest.approx([5, 10], abs=0.1)
        for chart in ("goodput", "window", "rtt", "queue", "delay", "jain"):
            labels = time_labels(tab, chart)
            assert (min(labels), max(labels)) == pytest.approx((5, 10), abs=0.6)
        assert max(time_labels(tab, "overview")) == 20
        tab.locator(".plot[data-chart=goodput]").dblclick()
        drawn(tab, 3)
        assert fields(tab) == [0, 20]


def test_a_flow_that_is_pressed_stands_out(shown):
    with shown() as tab:
        assert look(tab, "faded") == []
        tab.locator(".flows").get_by_role("button", name="0 NewReno").click()
        drawn(tab, 2)
        assert sorted(look(tab, "faded")) == ["var(--flow-1)", "var(--flow-2)", "var(--flow-3)"]


def test_the_values_at_a_time_stand_beside_each_chart(shown):
    with shown() as tab:
        plot = tab.locator(".plot[data-chart=rtt] path.background").first
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        tab.mouse.move(box["x"] + box["width"] * 0.525, box["y"] + 20)
        # At 10.5 s: 10 segments since 10 s, a round trip of 0.05 s, 3 packets in the queue.
        window = tab.locator("figure[data-flow='0'] .values").inner_text()
        assert window.split() == ["cwnd", "10", "ssthresh", "8"]
        assert "0: 50" in tab.locator("figure:has(.plot[data-chart=rtt]) .values").inner_text()
        assert tab.locator("figure:has(.plot[data-chart=queue]) .values").inner_text() == "3"


def test_what_is_chosen_is_in_the_address_and_goes_along_to_another_cell(shown, pages):
    with shown(fragment="#from=4&to=8.5&flows=1&axis=one") as tab:
        assert fields(tab) == [4, 8.5]
        assert tab.locator(".flows").get_by_role("button", name="1 CUBIC").get_attribute("aria-pressed") == "true"
        assert tab.get_by_role("button", name="One axis").get_attribute("aria-pressed") == "true"
        tab.get_by_role("link", name="run 3").click()
        drawn(tab)
        assert "-r3-" in tab.url
        assert fields(tab) == [4, 8.5]
        tab.get_by_role("link", name="BBR", exact=True).click()
        drawn(tab)
        assert "TcpBbr" in tab.url and "-r3-" in tab.url
        assert fields(tab) == [4, 8.5]
        assert tab.get_by_text("last run").count() == 1
        tab.reload()
        drawn(tab)
        assert fields(tab) == [4, 8.5]


def test_keys_alone_reach_and_do_everything(shown):
    with shown() as tab:
        reached = []
        for _ in range(200):
            tab.keyboard.press("Tab")
            found = look(tab, "focused")
            if found[0] == "BODY":
                break
            reached.append(found)
        names = [name for _, name, _, _ in reached]
        wanted = ["To the traces over time", "← run 1", "run 3 →", "BBR", "0 NewReno"]
        wanted += ["from", "to", "closer", "at"]
        assert list(dict.fromkeys(name for name in names if name in wanted)) == wanted
        assert {"SVG", "PNG"} <= set(names)
        assert any(name.endswith("Parameters") for name in names)
        assert all(is_seen and outline != "none" for _, _, outline, is_seen in reached)
        # The time is chosen by a field, moved by a button, and read at the slider.
        tab.locator("input[name=to]").focus()
        tab.keyboard.press("Control+A")
        tab.keyboard.type("5")
        tab.keyboard.press("Tab")
        drawn(tab, 2)
        assert fields(tab) == [0, 5]
        tab.get_by_role("button", name="Later").focus()
        tab.keyboard.press("Enter")
        drawn(tab, 3)
        assert fields(tab) == [2.5, 7.5]
        tab.locator("input[name=at]").focus()
        tab.keyboard.press("End")
        assert tab.locator(".timebar output").inner_text() == "7.5"
        assert "cwnd" in tab.locator("figure[data-flow='0'] .values").inner_text()


def test_a_cell_of_one_flow_has_a_page_too(here, browser):
    one = SWEEP.replace("flows: 4", "flows: 1").replace(", TcpNewReno+TcpCubic", "").replace("small", "one")
    cell_page.write(synthetic.sweep(one), Path("reports/one_files"))
    with opened(browser, sorted(Path("reports/one_files").glob("*.html"))[0]) as tab:
        drawn(tab)
        assert tab.locator(".flows").count() == 0
        assert "no other flow" in tab.locator(".story").inner_text()
        assert violations(tab) == []
    assert len(json.loads(Path("results/sweeps/one/pages.json").read_text())) == 6
