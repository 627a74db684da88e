# SPDX-License-Identifier: MIT
"""What features add to the documentation's reference: frames by the function that returns them, and parts of pages."""

from collections.abc import Callable, Mapping, Sequence

from tcpsweep.features.captures import import_metrics
from tcpsweep.features.captures.opened_import import OpenedImport

FRAMES: Mapping[str, type] = {"tcpsweep.open_import": OpenedImport}
PARTS: Mapping[str, Callable[[], Sequence[str]]] = {"metrics": import_metrics.reference_parts}
