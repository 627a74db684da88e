# SPDX-License-Identifier: MIT
"""The first screen of a sweep's page, as one picture to paste into a talk or a chat."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

from tcpsweep.core.figures import series_styles, text_sizes
from tcpsweep.core.report.answers.answer import plain
from tcpsweep.core.report.picture import answers, card, plane, svg_parts
from tcpsweep.core.report.picture.card import LINE_INK, SOFT
from tcpsweep.core.report.sections.overview import Overview
from tcpsweep.core.report.sections.score_card import Card
from tcpsweep.core.store.whole_files import written_whole
from tcpsweep.core.sweep import caveats
from tcpsweep.core.words import printed_names

WIDTH, EDGE, BETWEEN, CARD = 1280.0, 32.0, 24.0, 750.0  # in pixels
INSIDE = 16.0  # between a panel's border and its contents
_TITLE, _BRIEF, _ANSWER, _HEAD, _FINDING = 26.0, 15.0, 18.0, 15.0, 17.0  # sizes of texts
_LEAST_PLANE = plane.LEAST + _HEAD + 3 * INSIDE  # the height of the plane's panel


def write(overview: Overview, picture: Path) -> None:
    """Write the picture of a report's first screen as PNG, at twice its size in pixels, for high-resolution screens."""
    import vl_convert  # takes long

    picture.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(picture) as path:
        path.write_bytes(vl_convert.svg_to_png(drawn(overview), scale=2))


def drawn(overview: Overview) -> str:
    """The picture as SVG: the sweep's axes, whether its results hold, the answer, findings, score card and plane.

    The plane is beside the score card, and as high.
    """
    room = WIDTH - 2 * EDGE
    y = EDGE + _TITLE * 0.8
    parts = [svg_parts.text(EDGE, y, text_sizes.cut(overview.sweep.title, _TITLE, room), size=_TITLE)]
    y += 26
    parts.append(svg_parts.text(EDGE, y, text_sizes.cut(brief(overview), _BRIEF, room), size=_BRIEF, fill=SOFT))
    for line in text_sizes.broken(overview.with_variant, _BRIEF, room) if overview.with_variant else ():
        y += _BRIEF * 1.45
        parts.append(svg_parts.text(EDGE, y, line, size=_BRIEF, fill=SOFT))
    names = overview.sweep.names
    printed = functools.partial(printed_names.series_name, names=names)
    sentence = plain(overview.answer.sentence, names).strip()
    for line in text_sizes.broken(sentence, _ANSWER, room, lines=3) if sentence else ():
        y += _ANSWER * 1.45
        parts.append(svg_parts.text(EDGE, y, line, size=_ANSWER))
    if charts := overview.answer.charts:
        parts += answers.drawn(charts, EDGE, y + 14, room, series_styles.styles(overview.sweep), printed)
        y += 14 + answers.height(charts)
    for number, finding in enumerate(overview.answer.findings, 1):
        words = f"{number}. {plain(finding.parts, names)}"
        after = _FINDING * 1.5 if finding.touched else 0.0
        for line in text_sizes.broken(words, _FINDING, room - after):
            y += _FINDING * 1.45
            parts.append(svg_parts.text(EDGE, y, line, size=_FINDING))
        if finding.touched:
            parts.append(svg_parts.warning(EDGE + text_sizes.width(line, _FINDING) + 8, y, _FINDING))
    top = y + 18
    both = bool(overview.card.metrics and overview.plane)
    column = CARD if both else room
    if overview.card.metrics:
        height = card.height(overview.card) + _HEAD + 3 * INSIDE
        parts += _border(EDGE, top, column, height, _card_head(overview.card, printed))
        parts += card.drawn(overview.card, EDGE + INSIDE, top + _HEAD + 2 * INSIDE, column - 2 * INSIDE, printed)
        y = top + height + 12
    elif overview.plane:
        parts += _plane_panel(overview, EDGE, top, room, _LEAST_PLANE)
        y = top + _LEAST_PLANE + 12
    if both:
        height = max(_LEAST_PLANE, y - top)
        parts += _plane_panel(overview, EDGE + CARD + BETWEEN, top, room - CARD - BETWEEN, height)
        y = top + height
    if words := _defects_in_words(overview):
        lines = text_sizes.broken(words, _BRIEF, room - _BRIEF * 1.5, lines=4)
        parts.append(svg_parts.warning(EDGE, y + _BRIEF * 1.45 + 8, _BRIEF))
        for number, line in enumerate(lines, 1):
            base = y + 8 + number * _BRIEF * 1.45
            parts.append(svg_parts.text(EDGE + _BRIEF * 1.5, base, line, size=_BRIEF, fill=SOFT))
        y += 8 + len(lines) * _BRIEF * 1.45
    return svg_parts.whole(WIDTH, y + EDGE, parts)


def _defects_in_words(overview: Overview) -> str:
    """The known defects of ns-3 that touch what the picture shows; empty without any."""
    touching_names = {name for row in overview.card.rows for cell in row.cells if cell for name in cell.touched}
    touching_names |= {defect.name for finding in overview.answer.findings for defect in finding.touched}
    names = ", ".join(
        defect.name for defect in caveats.of_defects(overview.sweep.caveats) if defect.name in touching_names
    )
    return f"Known defects of ns-3 {overview.sweep.ns3_version} touch these numbers: {names}." if names else ""


def _plane_panel(overview: Overview, left: float, top: float, width: float, height: float) -> Iterator[str]:
    """The plane of delay and link use in its border."""
    assert overview.plane
    yield from _border(left, top, width, height, "Delay, link use")
    inner_size = (width - 2 * INSIDE, height - _HEAD - 3 * INSIDE)
    yield plane.drawn(overview.sweep, overview.plane, left + INSIDE, top + _HEAD + 2 * INSIDE, *inner_size)


def _card_head(card_of: Card, printed: Callable[[str], str]) -> str:
    if card_of.reference:
        return f"Compared with {printed(card_of.reference)}"
    return "Compared within mixes" if card_of.rows else "Means"


def _border(x: float, y: float, width: float, height: float, head: str) -> Iterator[str]:
    yield svg_parts.box(x, y, width, height, stroke=LINE_INK)
    yield svg_parts.text(
        x + INSIDE, y + INSIDE + _HEAD * 0.75, text_sizes.cut(head, _HEAD, width - 2 * INSIDE), size=_HEAD
    )


def brief(overview: Overview) -> str:
    """The sweep's axes, and whether its results hold."""
    (variants, *counted), audit = overview.counted, overview.audit
    words = [
        " × ".join([variants, *(f"{count} {noun}" for count, noun in counted)]),
        *filter(None, [overview.network]),
        f"ns-3 {overview.sweep.ns3_version}",
    ]
    if audit.cells:
        words.append(f"{audit.agreeing} of {audit.cells} simulations passed their checks")
    if overview.lacking:
        words.append(f"{overview.lacking} of {overview.cells} simulations lack a result")
    words += [remark.words for remark in overview.remarks if remark.in_picture]
    if warnings := len(overview.sweep.warnings):
        words.append(f"{warnings} warning{'s' * (warnings > 1)}")
    return " · ".join(words)
