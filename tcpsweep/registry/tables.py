# SPDX-License-Identifier: MIT
"""The tables that features add to a sweep. The step `aggregate` has this list, and what it imports, as its code."""

from tcpsweep.features.expectations import judged
from tcpsweep.features.linux import stack_table
from tcpsweep.features.pairs import pair_frontier
from tcpsweep.features.precision import precision_table
from tcpsweep.features.refine import refinement
from tcpsweep.features.search import network_sweep_file
from tcpsweep.features.studies import claim_findings

# In the order in which questions ask for a next round.
TABLES = (
    claim_findings.TABLES,
    pair_frontier.TABLES,
    judged.TABLES,
    stack_table.TABLES,
    precision_table.TABLES,
    refinement.TABLES,
    network_sweep_file.TABLES,
)
