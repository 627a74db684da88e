# SPDX-License-Identifier: MIT
"""The overview of the sweep's page: the score card and the findings of known effects, and what a browser sees first."""

import contextlib
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.report import sweep_page
from tcpsweep.report.picture import card as picture_card
from tcpsweep.report.sections import headlines, score_card
from tcpsweep.sweep import sweep_record
from tests.support import synthetic
from tests.support.browser import look

SWEEP = """\
sweep: known
scenario: dumbbell
grid: {variant: [TcpNewReno, TcpCubic, TcpBbr, TcpNewReno+TcpCubic], bandwidth: [4Mbps, 8Mbps], delay: [5ms, 10ms]}
repetitions: 6
fixed: {duration: 40s, warmup: 10s}
"""
PAGE = Path("reports/known.html")
# Of NewReno's goodput; in the mix, CUBIC has a third more than NewReno.
PARTS = {"TcpNewReno": [1.0, 1.0], "TcpCubic": [1.0, 1.0], "TcpBbr": [0.5, 0.5], "TcpNewReno+TcpCubic": [0.75, 1.0]}


def goodput(row, run):
    """Shares of 1 Mbit/s that differ a little from run to run, and not between variants of the same share."""
    return [part * 1e6 * (1 + run / 1000) for part in PARTS[row["variant"]]]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder in which the page was made, and the sweep's."""
    here = tmp_path_factory.mktemp("known")
    with contextlib.chdir(here):
        folder = synthetic.sweep(SWEEP, goodput)
        (folder / "figures.json").write_text("[]")
        sweep_page.write(folder, PAGE)
    return here, here / folder


@pytest.fixture(scope="module")
def tables(made):
    _, folder = made
    return [
        sweep_record.read(folder),
        *(pl.read_parquet(folder / f"{name}.parquet") for name in ("summary", "effects")),
    ]


def test_the_score_card_has_a_mark_for_each_network_and_the_largest_size(tables):
    card = score_card.card(*tables)
    column = [name for name, *_ in card["metrics"]].index("goodput_bps")
    cells = {row.variant: row.cells[column] for row in card["rows"]}
    assert card["reference"] == "TcpNewReno"
    assert cells["TcpBbr"].counts == {"worse": 4}
    assert cells["TcpBbr"].size == "−50%"
    assert len(cells["TcpBbr"].marks) == 4
    # Lower values hang below the line at zero, the largest of all down to the picture's end.
    assert {(mark.y, mark.height) for mark in cells["TcpBbr"].marks} == {(15, 14.0)}
    assert cells["TcpCubic"].counts == {"same": 4}
    assert cells["TcpCubic"].size == ""
    mixed = cells["TcpNewReno+TcpCubic"]
    assert mixed.counts == {"better": 4}
    assert mixed.size == "+33%"


def test_a_metric_that_never_varies_has_a_sentence_and_no_column(tables):
    card = score_card.card(*tables)
    assert "random_loss" not in [name for name, *_ in card["metrics"]]
    assert "Random loss is 0 % everywhere." in card["constant"]


def test_many_networks_are_counted_and_have_no_mark_each(tables, monkeypatch):
    monkeypatch.setattr(score_card, "MOST_MARKS", 3)
    card = score_card.card(*tables)
    cells = [cell for row in card["rows"] for cell in row.cells if cell]
    assert not any(cell.marks for cell in cells)
    assert any(cell.counts == {"worse": 4} for cell in cells)
    assert any("rect" in part for part in picture_card.drawn(card, 0, 0, 700))


def said(finding):
    return "".join(text for _, text in finding["parts"])


def test_findings_are_the_largest_effects_in_plain_words_with_a_link_to_their_figure(tables):
    sweep, _, effects = tables
    found = headlines.largest(sweep, effects)
    texts = [said(finding) for finding in found]
    assert "TcpBbr gets 50 % less goodput than TcpNewReno, in 4 of 4 networks" in texts
    assert len(found) <= 3
    assert all(finding["link"].startswith("#explore?") for finding in found)
    beside = [row for row in effects.iter_rows(named=True) if row["mix"] and row["metric"] == "goodput_bps"]
    assert {row["finding"] for row in beside} == {"higher"}


def test_without_a_shown_effect_one_finding_says_so(tables):
    sweep, _, effects = tables
    none = effects.filter(~pl.col("finding").is_in(["higher", "lower"]))
    (only,) = headlines.largest(sweep, none)
    assert said(only).startswith("No difference worth naming was shown")
    assert headlines.largest(sweep, effects.clear()) == []


# In a browser

_WORDS = """
  const seen = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const around = texts.currentNode.parentElement, range = document.createRange();
    if (around.closest("script, style, title, .unseen, [hidden], details:not([open]) > :not(summary)")) continue;
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (!box.width || box.top > innerHeight || box.right < 0) continue;
    seen.push(...texts.currentNode.textContent.split(/\\s+/).filter((word) => /[A-Za-z]{2}/.test(word)));
  }
"""


@pytest.mark.browser
def test_the_first_screen_is_a_picture_with_few_words_and_the_page_is_short(made, tmp_path, browser):
    here, _ = made
    script = f"""
    await until(() => document.querySelector("#overview-plane svg.marks"));
    {_WORDS}
    const top = (name) => document.querySelector(name).getBoundingClientRect().top;
    const pictures = {{ card: top(".card svg"), plane: top("#overview-plane svg.marks") }};
    return {{ words: seen.length, height: document.documentElement.scrollHeight, ...pictures }};
    """
    seen = look(browser, here / PAGE, script, width=1440)
    assert max(seen["card"], seen["plane"]) < 350
    assert seen["words"] <= 120
    assert seen["height"] <= 8000


@pytest.mark.browser
def test_charts_follow_the_colours_that_are_chosen(made, tmp_path, browser):
    here, _ = made
    script = """
    const ink = () => getComputedStyle(document.querySelector("#overview-plane svg.marks text")).fill;
    const ground = () => getComputedStyle(document.querySelector("#overview-plane")).backgroundColor;
    await until(() => document.querySelector("#overview-plane svg.marks text"));
    const seen = [[ink(), ground()]], button = document.getElementById("scheme");
    while (document.documentElement.dataset.scheme !== "dark") button.click();
    seen.push([ink(), ground()]);
    return seen;
    """
    light, dark = look(browser, here / PAGE, script, width=1440)
    assert brightness(light[0]) < 80 < 200 < brightness(light[1])
    assert brightness(dark[1]) < 80 < 200 < brightness(dark[0])


def brightness(colour):
    red, green, blue = (int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
    return (red + green + blue) / 3


@pytest.mark.browser
def test_a_finding_leads_to_its_figure(made, tmp_path, browser):
    here, _ = made
    script = """
    const before = plot.dataset.drawn;
    document.querySelector(".findings a").click();
    await until(() => plot.dataset.drawn !== before);
    const texts = [...plot.querySelectorAll("svg.marks text")].map((text) => text.textContent);
    return [explorer.querySelector("[name=kind]").value, location.hash, texts];
    """
    kind, address, texts = look(browser, here / PAGE, script, width=1440)
    assert kind == "heat map"
    assert address.startswith("#explore?")
    assert any("▲" in text or "▼" in text for text in texts)


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1024])
def test_only_tables_and_charts_scroll_sideways(made, tmp_path, width, browser):
    here, _ = made
    script = """
    for (const each of document.querySelectorAll("details")) each.open = true;
    await until(() => [...document.querySelectorAll(".chart")].every((each) => each.dataset.drawn));
    return [document.documentElement.scrollWidth, innerWidth];
    """
    page, window = look(browser, here / PAGE, script, width=width)
    assert page <= window


def test_where_too_few_runs_can_be_tested_the_means_are_told_and_called_that(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = synthetic.sweep(SWEEP.replace("repetitions: 6", "repetitions: 3"), goodput)
    sweep = sweep_record.read(folder)
    summary, effects = (pl.read_parquet(folder / f"{name}.parquet") for name in ("summary", "effects"))
    told = ["".join(text for _, text in finding["parts"]) for finding in headlines.largest(sweep, effects)]
    assert "TcpBbr gets 50 % less goodput than TcpNewReno, in 4 of 4 networks; means alone, not tested" in told
    card = score_card.card(sweep, summary, effects)
    assert card["rows"] == []
    assert [name for name, _ in card["means"]] == ["TcpNewReno", "TcpCubic", "TcpBbr", "TcpNewReno+TcpCubic"]
