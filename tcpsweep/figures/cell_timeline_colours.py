# SPDX-License-Identifier: MIT
"""The custom properties that hold the colours of states and events; the style of cells' pages gives them values."""

from __future__ import annotations

from tcpsweep.figures.cell_timeline_data import EVENTS as _EVENTS
from tcpsweep.figures.trace_reduction import STATES as _STATES

EVENTS = {what: f"--event-{number}" for number, what in enumerate(_EVENTS.values())}
STATES = {state: f"--state-{number}" for number, state in _STATES.items()}
