# SPDX-License-Identifier: MIT
"""The caption of a figure over time that a sweep file asks for."""

from __future__ import annotations

from tcpsweep.figures import cell_words, requested_chart, requested_data
from tcpsweep.figures.requested_data import Panels, Picture
from tcpsweep.sweep import axes, requests
from tcpsweep.sweep.sweep_record import PlannedSweep, value_text


def caption(sweep: PlannedSweep, picture: Picture, panels: Panels, shaded: bool) -> str:
    """Name a picture's cells, the values that they share, and the meaning of its lines.

    ``panels`` are the panels with values; ``shaded`` says whether it shows congestion states.
    """
    cells = picture.cells
    rows = [sweep.combinations[combination] for _, combination, _ in cells]
    apart = {*requests.differences(rows), *picture.each}
    several = {name for name, values in sweep.axes.items() if len(values) > 1} | {"variant"}
    same = {name: value_text(rows[0], name) for name in rows[0] if name in several - apart}
    common = axes.axes_in_words(same, axes.names_for_print(sweep))
    where = f" at {common}" if common else ""
    if len(cells) == 1:
        where = f" of {cell_words.network(sweep, cells[0][1])}"
    runs = sorted({run for _, _, run in cells})
    words = [f"Run{'s' * (len(runs) > 1)} {', '.join(map(str, runs))}{where}."]
    sizes = list(dict.fromkeys(value_text(row, "segment_size") for row in rows))
    if set(panels) & set(requested_data.IN_SEGMENTS) and len(sizes) == 1:
        words.append(f"Segments are of {sizes[0]} B.")
    kinds = {
        "goodput": "goodput counts the payload that the application read",
        "throughput": "throughput counts the IP bytes that arrived",
    }
    told = ", ".join(text for name, text in kinds.items() if name in panels)
    if told:
        words.append(f"In each {picture.interval_s:.4g} s, {told}.")
    if "queue" in panels:
        words.append("The queue has a value whenever a packet leaves it or is dropped.")
    lacking = [requested_chart.TITLES[name].partition(" [")[0] for name in picture.show if name not in panels]
    if lacking:
        words.append(f"There are no values of {' and '.join(lacking)} in this time.")
    if picture.missing:
        one = picture.missing == 1
        words.append(
            f"{picture.missing} simulation{'' if one else 's'} without a result {'is' if one else 'are'} missing."
        )
    words.append(f"The lines show the lowest and the highest value in each {requested_data.SPANS}th of the time.")
    if "window" in panels and requested_data.is_cut(panels["window"]):
        words.append("An ssthresh beyond the axis, such as an infinite one, is drawn along its upper edge.")
    if shaded:
        words.append("Shading shows the worst congestion state in it, unless that is open.")
    return " ".join(words)
