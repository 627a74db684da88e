# SPDX-License-Identifier: MIT
"""What features add to the pages of the documentation's reference."""

from tcpsweep.core.command_line.commands import interface_pages
from tcpsweep.features.captures import import_metrics, opened_import

PARTS = {
    "metrics": import_metrics.reference_parts(),
    "python": interface_pages.class_parts(opened_import.OpenedImport, "tcpsweep.open_import"),
}
