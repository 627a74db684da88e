# SPDX-License-Identifier: MIT
"""What features add to the terminal's last lines about a sweep, besides the answer that its report has too."""

from tcpsweep.features.expectations import outcomes
from tcpsweep.features.traffic import traffic_table
from tcpsweep.registry import report

ANSWERS = report.ANSWERS
FINDINGS = report.FINDINGS
TABLES = (traffic_table.tables,)
LAST_LINES = (outcomes.held_in_words,)
UNMET = (outcomes.unmet_in_words,)
