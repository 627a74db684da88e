# SPDX-License-Identifier: MIT
"""After a clock was set back, files keep their order of times."""

import os
import time

from tcpsweep.store import file_times, layout


def test_files_from_the_future_are_brought_back_in_their_order(here):
    names = ["past", "code/report", "figures/.snakemake_timestamp", "sweep.json"]
    paths = [layout.SWEEPS / "s" / name for name in names]
    now = time.time()
    for path, when in zip(paths, (-100, 3600, 3600, 3601), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (now + when, now + when))
    file_times.bring_back("s")
    times = [path.stat().st_mtime for path in paths]
    assert times[0] == now - 100
    assert now - 1 < times[1] == times[2] < times[3] <= time.time()
