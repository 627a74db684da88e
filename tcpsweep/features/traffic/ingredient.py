# SPDX-License-Identifier: MIT
"""Flows beside the measured ones as an ingredient of simulations."""

from collections.abc import Collection, Iterator

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import dotted_names
from tcpsweep.features.traffic import traffic_check


def _clashes(row: Combination, _: Collection[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    groups = network_graph.things(row, "traffic")
    if not groups:
        return
    network = network_views.network_of(row)
    for group in groups:
        for field, message in traffic_check.problems(row, group, network):
            yield (dotted_names.dotted_name("traffic", group, field),), message


INGREDIENT = Ingredient(clashes=_clashes)
