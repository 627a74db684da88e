# SPDX-License-Identifier: MIT
"""The tables that features add to a sweep. The step `aggregate` has this list, and what it imports, as its code."""

from tcpsweep.features.expectations import judged
from tcpsweep.features.linux import stack_table
from tcpsweep.features.pairs import added_tables as pair_and_harm_tables
from tcpsweep.features.precision import precision_table
from tcpsweep.features.refine import refinement
from tcpsweep.features.search import added_tables as search_tables
from tcpsweep.features.studies import added_tables as study_tables

# In the order in which questions ask for a next round.
TABLES = (
    study_tables.TABLES,
    pair_and_harm_tables.TABLES,
    judged.TABLES,
    stack_table.TABLES,
    precision_table.TABLES,
    refinement.TABLES,
    search_tables.TABLES,
)
