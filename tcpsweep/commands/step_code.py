# SPDX-License-Identifier: MIT
"""The code of the steps after the cells, and the libraries that it imports only when it uses them."""

import os


def load() -> None:
    """Import it all, and start no thread that a fork would miss."""
    # No threads for matrices, nor those in which polars' allocator gives memory back.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "_RJEM_MALLOC_CONF": "background_thread:false"}
    import scipy.special  # noqa: F401 (tables import it)

    import tcpsweep.analysis.aggregate
    import tcpsweep.figures.static_figures
    import tcpsweep.report.cell_page
    import tcpsweep.report.sweep_page
    import tcpsweep.terminal.finished_sweep
    import tcpsweep.terminal.summary_table  # noqa: F401
