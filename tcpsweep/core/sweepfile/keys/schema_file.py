# SPDX-License-Identifier: MIT
"""`config/schema.yaml` as data."""

import functools
from typing import Any, cast

import yaml

from tcpsweep.core.identity import source_folders

SCHEMA_FILE = source_folders.ROOT / "config" / "schema.yaml"


@functools.cache
def raw() -> dict[str, Any]:
    """The unchanged content of `config/schema.yaml`."""
    # libyaml's loader saves a tenth of a second at every start. Every wheel of PyYAML includes it.
    return cast(dict[str, Any], yaml.load(SCHEMA_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
