# SPDX-License-Identifier: MIT
"""Which code makes a cell's Parquet, and which library that needs."""

from pathlib import Path

from tcpsweep.identity import hashing, steps
from tcpsweep.parse import packet_decoder
from tcpsweep.sweep.sweep_record import Capture


def of(capture: Capture) -> tuple[str, Path | None]:
    """The code id of the steps that make Parquet, and the decoder's library, None where nothing is captured.

    A sweep without captures has an id that the decoder does not change.
    """
    if not capture.is_decoded:
        return steps.code_id("parse"), None
    return hashing.short_hash(steps.code_id("captures"), packet_decoder.code_id()), packet_decoder.place()
