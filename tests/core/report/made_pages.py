# SPDX-License-Identifier: MIT
"""Pages of sweeps whose numbers are known."""

import html
import re

import numpy as np

from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.report import sweep_page
from tcpsweep.registry import report
from tests.support import synthetic

# Shares of NewReno's goodput; in the mix, CUBIC has a third more than NewReno.
PARTS = {"TcpNewReno": [1.0, 1.0], "TcpCubic": [1.0, 1.0], "TcpBbr": [0.5, 0.5], "TcpNewReno+TcpCubic": [0.75, 1.0]}
KNOWN = """\
sweep: known
scenario: dumbbell
grid: {variant: [TcpNewReno, TcpCubic, TcpBbr, TcpNewReno+TcpCubic], bandwidth: [4Mbps, 8Mbps], delay: [5ms, 10ms]}
repetitions: 14
fixed: {duration: 40s, warmup: 10s}
"""


def shares(row, run):
    """Shares of 1 Mbit/s that differ a little from run to run, and not between variants of the same share."""
    return [part * 1e6 * (1 + run / 1000) for part in PARTS[row["variant"]]]


def swept(text, *goodput, **how):
    """The folder of a sweep without static figures, which take most of the time."""
    folder = synthetic.sweep(text, *goodput, **how)
    (folder / "figures.json").write_text("[]")
    return folder


def written(text, page, *goodput, **how):
    """Write the page of a sweep; returns the sweep's folder."""
    folder = swept(text, *goodput, **how)
    sweep_page.write(folder, page, report)
    return folder


def traces_of(rows):
    """The traces of some flows from rows of flow, time and value."""
    flows = {flow: [row[1:] for row in rows if row[0] == flow] for flow, _, _ in rows}
    return {flow: Trace(*np.array(own, float).T) for flow, own in flows.items()}


def words_of(text):
    """What a page says, with single blanks, but with its tags."""
    return re.sub(r"\s+", " ", html.unescape(text))


def said(finding):
    """A finding without its links."""
    return joined(finding.parts)


def joined(parts):
    """A sentence in parts without their kinds."""
    return "".join(text for _, text in parts)
