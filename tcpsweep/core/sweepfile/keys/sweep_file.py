# SPDX-License-Identifier: MIT
"""A sweep file behind the door: `schema_check` found nothing in it, so its keys have their types."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tcpsweep.core.contact.fields import Fields
from tcpsweep.core.sweepfile.keys.sweep_fields import SweepFields

_F = TypeVar("_F", bound=Fields)


@dataclass(frozen=True)
class SweepFile:
    """A sweep file without schema errors."""

    data: Mapping[str, Any]  # as written, for sections of parameters and for messages
    folder: Path = Path()  # paths in the file are relative to it

    @functools.cached_property
    def keys(self) -> SweepFields:
        """The core's keys."""
        return self.of(SweepFields)

    @property
    def scenario(self) -> str:
        """The scenario's name, or the path of a network preset."""
        return str(self.data["scenario"])

    def of(self, fields: type[_F]) -> _F:
        """The keys of a feature, such as ``file.of(RefineFields).refine``."""
        return fields.model_validate({key: self.data[key] for key in fields.key_names() if key in self.data})

    def has(self, key: str) -> bool:
        """Whether the file has a key."""
        return key in self.data
