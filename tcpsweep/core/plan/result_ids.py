# SPDX-License-Identifier: MIT
"""What determines a cell's Parquet and metrics besides the simulation: code, and the measured span."""

import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from tcpsweep.core.identity import hashing, steps
from tcpsweep.core.parse import packet_decoder
from tcpsweep.core.plan import input_means
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.sweep.sweep_parts import Capture, InputFile
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import link_words, network_forms, units


def parser_and_decoder(capture: Capture) -> tuple[str, Path | None]:
    """The identity of the code that makes Parquet, and the decoder's library, None without captures.

    Without captures, the decoder's code is not part of the id.
    """
    if not capture.is_decoded:
        return steps.code_id("parse"), None
    return hashing.short_hash(steps.code_id("captures"), packet_decoder.code_id()), packet_decoder.place()


def span(row: Combination, inputs: Mapping[str, InputFile] = MappingProxyType({})) -> Span:
    """The span over which a combination's runs are measured: the time after the warm-up.

    ``inputs`` are the files that combinations name. Traces among them determine what links can send.
    """
    end_s = row.duration_s
    from_s = None if row["warmup"] == "auto" else row.warmup_s
    flow_s = None if row["flow_warmup"] == "auto" else float(units.si(row["flow_warmup"], "time"))
    link = row.get(network_forms.REFERENCE_LINK, network_forms.AUTO)
    return Span(
        from_s, end_s, flow_s, "" if link == network_forms.AUTO else str(link), _opportunities(row, inputs, end_s)
    )


def _opportunities(row: Combination, inputs: Mapping[str, InputFile], end_s: float) -> dict[str, tuple[int, ...]]:
    """The delivery opportunities until each whole second, for each link direction that follows a trace, by its name."""
    if not inputs or not any(
        name.endswith("trace") and isinstance(row[name], str) and row[name] in inputs for name in row
    ):
        return {}
    times_s, opportunities = tuple(float(second) for second in range(math.ceil(end_s) + 1)), {}
    for link in network_views.network_of(row).links:
        for direction, forth in (("forward", True), ("reverse", False)):
            trace = network_graph.link_value(row, link, "trace", forth, "none")
            if trace in inputs:
                direction_name = link_words.said(link.name, direction)
                opportunities[direction_name] = input_means.opportunities(inputs[trace], times_s)
    return opportunities


def metrics_id(span: Span) -> str:
    """The identity of a cell's metrics: their span, and the code that measures and audits."""
    return hashing.short_hash(steps.code_id("measure"), msgspec.json.encode(span).decode())
