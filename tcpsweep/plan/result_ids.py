# SPDX-License-Identifier: MIT
"""What determines a cell's Parquet and metrics besides the simulation: code, and the measured span."""

from pathlib import Path

import msgspec

from tcpsweep.identity import hashing, steps
from tcpsweep.parse import packet_decoder
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.span import Span
from tcpsweep.sweep.sweep_parts import Capture
from tcpsweep.words import network_forms, quantities


def parser_and_decoder(capture: Capture) -> tuple[str, Path | None]:
    """The identity of the code that makes Parquet, and the decoder's library, None without captures.

    Without captures, the decoder's code is not part of the id.
    """
    if not capture.is_decoded:
        return steps.code_id("parse"), None
    return hashing.short_hash(steps.code_id("captures"), packet_decoder.code_id()), packet_decoder.place()


def span(row: Settings) -> Span:
    """The span over which a combination's runs are measured: the time after the warm-up."""
    end_s = float(quantities.si(row["duration"], "time"))
    from_s = None if row["warmup"] == "auto" else float(quantities.si(row["warmup"], "time"))
    own_s = None if row["flow_warmup"] == "auto" else float(quantities.si(row["flow_warmup"], "time"))
    link = row.get(network_forms.REFERENCE_LINK, network_forms.AUTO)
    return Span(from_s, end_s, own_s, "" if link == network_forms.AUTO else str(link))


def metrics_id(span: Span) -> str:
    """The identity of a cell's metrics: their span, and the code that measures and audits."""
    return hashing.short_hash(steps.code_id("measure"), msgspec.json.encode(span).decode())
