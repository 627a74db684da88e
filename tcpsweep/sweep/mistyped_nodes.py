# SPDX-License-Identifier: MIT
"""Which node's name in a link may be mistyped, where the links do not join all nodes."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from tcpsweep.words import spelling


def hint(links: Sequence[tuple[str, tuple[str, str]]], here: Collection[str]) -> str:
    """The first node of one link alone whose name is much like one on the other side, or nothing.

    Parameters
    ----------
    links : sequence of (str, (str, str))
        Each link's name and its two nodes.
    here : collection of str
        The nodes on one side: no link joins them to the others.
    """
    counts = Counter(node for _, ends in links for node in ends)
    sides = ([node for node in counts if node not in here], [node for node in counts if node in here])
    for side, other in (sides, sides[::-1]):
        for node in side:
            # Names that differ in a number are meant to.
            alike = [each for each in other if _plain(each) != _plain(node)]
            if counts[node] == 1 and (near := spelling.nearest(node, alike)):
                link = next(name for name, ends in links if node in ends)
                return f"; no link but {link} joins {node!r}{near}"
    return ""


def _plain(node: str) -> str:
    return re.sub(r"\d", "", node)
