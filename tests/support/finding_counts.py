# SPDX-License-Identifier: MIT
"""The numbers of findings, as rows from which sentences are made."""

from tcpsweep.core.analysis import findings, verdict_words


def counts(**given):
    """A row as `verdict_words.counted` gives it, of goodput; a finding's count with its sizes."""
    row = {verdict_words.column(name): 0 for name in findings.FINDINGS}
    row |= {
        "metric": "goodput_bps",
        "relative": True,
        "smallest_share": 0.02,
        "smallest_value": 0.0,
        "smallest_origin": 0.0,
    }
    row |= {"variant": "A", "reference": "B", "mix": None, "simulator": None, "networks": 0}
    row |= {"unsteady": 2, "reference_unsteady": 1, "lost_runs": 3, "reference_lost_runs": 0}
    row |= {"doubted": 0, "own_doubted": 0, "reference_doubted": 0}
    for name, value in given.items():
        if isinstance(value, tuple):
            count, least, greatest, low, high = value
            row |= {f"{name}_least": least, f"{name}_greatest": greatest, f"{name}_low": low, f"{name}_high": high}
            row |= {name: count, "networks": row["networks"] + count}
        else:
            row |= {name: value, "networks": row["networks"] + value}
    return row
