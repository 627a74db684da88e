# SPDX-License-Identifier: MIT
"""`config/known-defects.yaml` as records."""

import functools

import msgspec
import yaml

from tcpsweep.core.identity import source_folders
from tcpsweep.features.corrections.defect_conditions import Defect

DEFECTS_FILE = source_folders.ROOT / "config" / "known-defects.yaml"


@functools.cache
def defects() -> list[Defect]:
    """The known defects of ns-3's TCP, in the file's order."""
    data = yaml.load(DEFECTS_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return msgspec.convert(data, list[Defect])
