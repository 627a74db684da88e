# SPDX-License-Identifier: MIT
"""The overview as one picture: its content, and that no text overlaps another or lies outside."""

import contextlib
import dataclasses
import html
import re
from pathlib import Path

import pytest

from tcpsweep.core.analysis import sweep_results
from tcpsweep.core.report.picture import overview, plane
from tcpsweep.core.report.sections import overview as first_screen
from tcpsweep.registry import report
from tests.core.report.made_pages import PARTS, shares, written

# The longest names, six variants, and mixes.
SWEEP = """\
sweep: wide
title: What six variants do at a bottleneck
scenario: dumbbell
grid:
  variant: [TcpNewReno, TcpCubic, TcpBbr, TcpWestwoodPlus, TcpHighSpeed, TcpNewReno+TcpCubic]
  bandwidth: [4Mbps, 8Mbps]
repetitions: 14
fixed: {duration: 40s, warmup: 10s}
"""


def rates(row, run):
    return shares(row.with_values({"variant": row.variant if row.variant in PARTS else "TcpBbr"}), run)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The page's first screen, and where it was written."""
    here = tmp_path_factory.mktemp("wide")
    with contextlib.chdir(here):
        page = Path("reports/wide.html")
        results = sweep_results.read(written(SWEEP, page, rates), page)
        return first_screen.overview(results, report), here / page


@pytest.fixture
def told(made):
    return made[0]


def boxes(svg):
    """The texts with their boxes; the inner drawing's boxes are moved to its place."""
    outer, _, inner = svg.partition('<svg x="')
    parts = [(outer, 0.0, 0.0)]
    if inner:
        x, y = (float(number) for number in re.match(r'([\d.]+)" y="([\d.]+)"', inner).groups())
        drawing, _, rest = inner.partition("</svg>")
        parts = [(outer + rest, 0.0, 0.0), (drawing, x, y)]
    pattern = r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)" font-size="([\d.]+)" textLength="([\d.]+)"[^>]*?>'
    for part, dx, dy in parts:
        for found in re.finditer(pattern + "([^<]*)", part):
            if "rotate" in found[0]:
                continue
            x, y, size, width = (float(found[number]) for number in (1, 2, 4, 5))
            left = x - {"start": 0, "middle": 0.5, "end": 1}[found[3]] * width
            yield found[6], (left + dx, y + dy - 0.7 * size, left + dx + width, y + dy + 0.1 * size)


def test_the_picture_lies_beside_the_page_and_says_what_was_swept_the_card_and_the_findings(made):
    told, page = made
    picture = page.with_suffix(".png").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(picture[16:20]) == 2 * overview.WIDTH
    assert len(picture) < 1.5e6
    words = [text for text, _ in boxes(overview.drawn(told))]
    assert "What six variants do at a bottleneck" in words
    assert any(text.startswith("6 variants × 2 network conditions × 14 repetitions · ") for text in words)
    assert "Compared with NewReno" in words
    assert "−50%" in words
    assert len([text for text in words if re.match(r"[123]\. ", text)]) == len(told.answer.findings) > 0


def test_a_triangle_marks_what_a_known_defect_of_ns_3_touches(told):
    drawing = overview.drawn(told)
    cells = [cell for row in told.card.rows for cell in row.cells if cell and cell.touched]
    findings = [finding for finding in told.answer.findings if finding.touched]
    assert cells and findings
    assert drawing.count('class="warning"') == len(cells) + len(findings) + 1
    words = " ".join(text for text, _ in boxes(drawing))
    assert "Known defects of ns-3 3.44 touch these numbers: " in words
    for name in {name for cell in cells for name in cell.touched}:
        assert html.escape(name, quote=False) in words


def test_no_text_lies_over_another_or_outside(told):
    svg = overview.drawn(told)
    height = float(re.search(r'height="([\d.]+)"', svg)[1])
    found = list(boxes(svg))
    assert len(found) > 30
    for number, (text, one) in enumerate(found):
        assert one[0] >= 0 and one[1] >= 0 and one[2] <= overview.WIDTH and one[3] <= height, text
        for other_text, other in found[:number]:
            wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
            assert wide <= 0.5 or high <= 0.5, (text, other_text)


def test_cells_with_too_many_networks_for_marks_are_bars_of_counts_and_nothing_known_is_a_picture_too(told):
    card = told.card
    rows = [
        type(row)(row.variant, row.about, [cell and type(cell)(**vars(cell) | {"marks": []}) for cell in row.cells])
        for row in card.rows
    ]
    bars = overview.drawn(dataclasses.replace(told, card=dataclasses.replace(card, rows=rows)))
    assert bars.count('height="14"') > 10
    assert "worse" in [text for text, _ in boxes(bars)]
    empty = dataclasses.replace(card, metrics=[], rows=[], means=[])
    answer = dataclasses.replace(told.answer, findings=[])
    bare = dataclasses.replace(told, card=empty, plane=None, answer=answer)
    assert "What six variants do" in overview.drawn(bare)


def test_the_frontier_is_what_no_variant_beats_in_both():
    means = [(1.0, 0.9), (2.0, 0.95), (3.0, 0.94), (0.5, 0.5)]  # the third has more delay and less of the link
    corners = [(0.5, 0.0), (0.5, 0.0), (0.5, 0.5), (1.0, 0.5), (1.0, 0.9), (2.0, 0.9), (2.0, 0.95), (4.0, 0.95)]
    assert plane.frontier(means, 0.0, 4.0) == [*corners, corners[-1]]
