# SPDX-License-Identifier: MIT
"""The static figures of wireless networks: a map of each."""

from collections.abc import Iterator

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.figures import requested_chart
from tcpsweep.core.figures.picture_files import Figure
from tcpsweep.features.wireless import wireless_map

MOST_MAPS = 12


def figures(results: SweepResults, width: float) -> Iterator[Figure]:
    """A map of each wireless network of the sweep, in a width in pixels."""
    sweep = results.sweep
    maps = wireless_map.maps(sweep)
    for number, (combinations, _, run) in enumerate(maps[:MOST_MAPS], 1):
        where, said = wireless_map.described(sweep, combinations, run)
        if len(maps) > MOST_MAPS:
            said += f" The first {MOST_MAPS} of {len(maps)} maps are drawn."
        title = f"Who hears whom{' at ' if where else ''}{where}"
        origin = f"From a run of {requested_chart.cell_words(sweep, combinations[0])}."
        chart = wireless_map.map_chart(run)
        yield Figure(f"map-{number}", "Places", title, f"{said} {origin}", "map", chart, width=width)
