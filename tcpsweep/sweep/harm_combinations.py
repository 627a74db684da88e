# SPDX-License-Identifier: MIT
"""The combinations that a mix is compared with to find harm: each of its variants alone, and all flows with it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tcpsweep.sweep.matching import Combination
from tcpsweep.words.mixes import Mix


def flows_of(row: Mapping[str, Any]) -> Counter[str]:
    """How many flows each variant of a combination has, as they take the variants in turn."""
    return Mix.of(row["variant"]).flows(row["flows"])


def alone(row: Combination, variant: str) -> Combination:
    """The combination with the flows of one variant of a mix and no others."""
    return row | {"variant": variant, "flows": flows_of(row)[variant]}


def among_itself(row: Combination, variant: str) -> Combination:
    """The combination in which all flows of a mix have one variant."""
    return row | {"variant": variant}


def key(row: Combination) -> str:
    """A text that equal combinations share."""
    return json.dumps(row, sort_keys=True)


def missing(rows: Sequence[Combination]) -> list[Combination]:
    """The combinations that harm needs and ``rows`` lack, each once.

    Parameters
    ----------
    rows : list of dict
        A sweep's combinations.

    Returns
    -------
    list of dict
    """
    there, found = {key(row) for row in rows}, dict[str, Combination]()
    for row in rows:
        variants = flows_of(row)
        for variant in variants if len(variants) > 1 else ():
            for wanted in (alone(row, variant), among_itself(row, variant)):
                found.setdefault(key(wanted), wanted)
    return [row for name, row in found.items() if name not in there]
