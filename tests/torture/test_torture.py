# SPDX-License-Identifier: MIT
"""A short `make torture`: three of the faults that end a run or a part of it."""

import pytest

from tcpsweep.core.parse import packet_decoder
from tests.support.tools import PATIENCE_S
from tests.torture import faults
from tests.torture.place import Place
from tests.torture.torture import SWEEP, table, torture

pytestmark = pytest.mark.long
FAULTS = 3
TABLES = ["--until", "summarise"]


def test_any_fault_leaves_the_same_bytes_and_repeats_only_the_cells_hit(tmp_path, program):
    programs = {
        "dumbbell": program("dumbbell"),
        "inspect": program("inspect"),
        "packets": packet_decoder.library().resolve(),
    }
    kinds = {name: fault for name, fault in faults.HERE.items() if "full" not in name}
    sweep = SWEEP.format(repetitions=1, seconds=20)

    def new_place():
        return Place(tmp_path, tmp_path / "disk", programs, sweep, TABLES)

    found = torture(new_place, kinds, FAULTS, PATIENCE_S, seed=1)
    assert found.wrong == [], table(found, kinds)
    assert len(found.hits) >= FAULTS
