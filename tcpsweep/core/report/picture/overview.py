# SPDX-License-Identifier: MIT
"""The first screen of a sweep's page, as one picture to paste into a talk or a chat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.figures import series_styles, text_sizes
from tcpsweep.core.report.answers.answer import plain
from tcpsweep.core.report.picture import answers, card, plane, svg_parts
from tcpsweep.core.report.picture.card import LINE_INK, SOFT
from tcpsweep.core.store.whole_files import written_whole

WIDTH, EDGE, BETWEEN, CARD = 1280.0, 32.0, 24.0, 750.0  # in pixels
INSIDE = 16.0  # between a panel's border and its contents
_TITLE, _BRIEF, _ANSWER, _HEAD, _FINDING = 26.0, 15.0, 18.0, 15.0, 17.0  # sizes of texts
_LEAST = plane.LEAST + _HEAD + 3 * INSIDE  # the height of the plane's panel


def write(told: Mapping[str, Any], picture: Path) -> None:
    """Write the picture of `sweep_page.contents` as PNG, at twice its size in pixels, for high-resolution screens."""
    import vl_convert  # takes long

    picture.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(picture) as path:
        path.write_bytes(vl_convert.svg_to_png(drawn(told), scale=2))


def drawn(told: Mapping[str, Any]) -> str:
    """The picture as SVG: the sweep's axes, whether its results hold, the answer, findings, score card and plane.

    The plane is beside the score card, and as high.
    """
    room = WIDTH - 2 * EDGE
    y = EDGE + _TITLE * 0.8
    parts = [svg_parts.text(EDGE, y, text_sizes.cut(told["sweep"].title, _TITLE, room), size=_TITLE)]
    y += 26
    parts.append(svg_parts.text(EDGE, y, text_sizes.cut(brief(told), _BRIEF, room), size=_BRIEF, fill=SOFT))
    for line in text_sizes.broken(told["with_variant"], _BRIEF, room) if told["with_variant"] else ():
        y += _BRIEF * 1.45
        parts.append(svg_parts.text(EDGE, y, line, size=_BRIEF, fill=SOFT))
    names = told["sweep"].names
    sentence = plain(told["answer"].sentence, names).strip()
    for line in text_sizes.broken(sentence, _ANSWER, room, lines=3) if sentence else ():
        y += _ANSWER * 1.45
        parts.append(svg_parts.text(EDGE, y, line, size=_ANSWER))
    if charts := told["answer"].charts:
        parts += answers.drawn(charts, EDGE, y + 14, room, series_styles.styles(told["sweep"]), told["printed"])
        y += 14 + answers.height(charts)
    for number, finding in enumerate(told["findings"], 1):
        words = f"{number}. {plain(finding['parts'], names)}"
        after = _FINDING * 1.5 if finding["touched"] else 0.0
        for line in text_sizes.broken(words, _FINDING, room - after):
            y += _FINDING * 1.45
            parts.append(svg_parts.text(EDGE, y, line, size=_FINDING))
        if finding["touched"]:
            parts.append(svg_parts.warning(EDGE + text_sizes.width(line, _FINDING) + 8, y, _FINDING))
    top = y + 18
    beside = bool(told["card"]["metrics"] and told["plane"])
    column = CARD if beside else room
    if told["card"]["metrics"]:
        height = card.height(told["card"]) + _HEAD + 3 * INSIDE
        parts += _panel(EDGE, top, column, height, _head(told["card"], told["printed"]))
        parts += card.drawn(told["card"], EDGE + INSIDE, top + _HEAD + 2 * INSIDE, column - 2 * INSIDE, told["printed"])
        y = top + height + 12
    elif told["plane"]:
        parts += _plane(told, EDGE, top, room, _LEAST)
        y = top + _LEAST + 12
    if beside:
        height = max(_LEAST, y - top)
        parts += _plane(told, EDGE + CARD + BETWEEN, top, room - CARD - BETWEEN, height)
        y = top + height
    if words := _touched(told):
        below = text_sizes.broken(words, _BRIEF, room - _BRIEF * 1.5, lines=4)
        parts.append(svg_parts.warning(EDGE, y + _BRIEF * 1.45 + 8, _BRIEF))
        for number, line in enumerate(below, 1):
            base = y + 8 + number * _BRIEF * 1.45
            parts.append(svg_parts.text(EDGE + _BRIEF * 1.5, base, line, size=_BRIEF, fill=SOFT))
        y += 8 + len(below) * _BRIEF * 1.45
    return svg_parts.whole(WIDTH, y + EDGE, parts)


def _touched(told: Mapping[str, Any]) -> str:
    """The known defects of ns-3 that touch what the picture shows; empty without any."""
    touching = {name for row in told["card"]["rows"] for cell in row.cells if cell for name in cell.touched}
    touching |= {defect.name for finding in told["findings"] for defect in finding["touched"]}
    names = ", ".join(defect.name for defect in told["sweep"].defects if defect.name in touching)
    return f"Known defects of ns-3 {told['sweep'].ns3_version} touch these numbers: {names}." if names else ""


def _plane(told: Mapping[str, Any], left: float, top: float, width: float, height: float) -> Iterator[str]:
    """The plane of delay and link use in its border."""
    yield from _panel(left, top, width, height, "Delay, link use")
    inner = (width - 2 * INSIDE, height - _HEAD - 3 * INSIDE)
    yield plane.drawn(told["sweep"], told["plane"], left + INSIDE, top + _HEAD + 2 * INSIDE, *inner)


def _head(card_of: Mapping[str, Any], printed: Callable[[str], str]) -> str:
    if card_of["reference"]:
        return f"Compared with {printed(card_of['reference'])}"
    return "Compared within mixes" if card_of["rows"] else "Means"


def _panel(x: float, y: float, width: float, height: float, head: str) -> Iterator[str]:
    yield svg_parts.box(x, y, width, height, stroke=LINE_INK)
    yield svg_parts.text(
        x + INSIDE, y + INSIDE + _HEAD * 0.75, text_sizes.cut(head, _HEAD, width - 2 * INSIDE), size=_HEAD
    )


def brief(told: Mapping[str, Any]) -> str:
    """The sweep's axes, and whether its results hold."""
    (variants, *counted), audit, lacking = told["counted"], told["audit"], len(told["failed"]) + len(told["missing"])
    words = [
        " × ".join([variants, *(f"{count} {noun}" for count, noun in counted)]),
        *filter(None, [told["network"]]),
        f"ns-3 {told['sweep'].ns3_version}",
    ]
    if audit["cells"]:
        words.append(f"{audit['agreeing']} of {audit['cells']} simulations passed their checks")
    if lacking:
        words.append(f"{lacking} of {told['cells']} simulations lack a result")
    if told["outcomes"]:
        holding = sum(1 for outcome in told["outcomes"] if outcome.holds)
        words.append(f"{holding} of {len(told['outcomes'])} expectations hold")
    if warnings := len(told["sweep"].warnings):
        words.append(f"{warnings} warning{'s' * (warnings > 1)}")
    return " · ".join(words)
