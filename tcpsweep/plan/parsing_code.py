# SPDX-License-Identifier: MIT
"""The code that makes a cell's Parquet, and the library that it needs."""

from pathlib import Path

from tcpsweep.identity import hashing, steps
from tcpsweep.parse import packet_decoder
from tcpsweep.sweep.sweep_record import Capture


def of(capture: Capture) -> tuple[str, Path | None]:
    """The code id of the steps that make Parquet, and the decoder's library, None if nothing is captured.

    Without captures, the decoder's code is not part of the id.
    """
    if not capture.is_decoded:
        return steps.code_id("parse"), None
    return hashing.short_hash(steps.code_id("captures"), packet_decoder.code_id()), packet_decoder.place()
