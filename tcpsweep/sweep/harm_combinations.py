# SPDX-License-Identifier: MIT
"""What a mix is held against to tell harm: each of its variants alone on the link, and among flows of its own."""

import json
from collections import Counter


def flows_of(row):
    """How many flows each variant of a combination has, as they take the variants in turn."""
    variants = row["variant"].split("+")
    return Counter(variants[flow % len(variants)] for flow in range(row["flows"]))


def alone(row, variant):
    """The combination in which a mix's variant has its flows and nobody else has any."""
    return row | {"variant": variant, "flows": flows_of(row)[variant]}


def among_itself(row, variant):
    """The combination in which all of a mix's flows are of one variant."""
    return row | {"variant": variant}


def key(row):
    """What two combinations have in common if they are the same."""
    return json.dumps(row, sort_keys=True)


def missing(rows):
    """The combinations that harm asks for and that are not among ``rows``, each once.

    Parameters
    ----------
    rows : list of dict
        A sweep's combinations.

    Returns
    -------
    list of dict
    """
    there, found = {key(row) for row in rows}, {}
    for row in rows:
        variants = flows_of(row)
        for variant in variants if len(variants) > 1 else ():
            for wanted in (alone(row, variant), among_itself(row, variant)):
                found.setdefault(key(wanted), wanted)
    return [row for name, row in found.items() if name not in there]
