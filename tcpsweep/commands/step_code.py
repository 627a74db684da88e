# SPDX-License-Identifier: MIT
"""The code of the steps after the cells, and the libraries that it imports only when it uses them."""


def load_of_tables() -> None:
    """Import that of the tables."""
    import scipy.special  # noqa: F401 (they import it)

    import tcpsweep.analysis.aggregate  # noqa: F401


def load() -> None:
    """Import it all."""
    load_of_tables()
    import tcpsweep.figures.static_figures
    import tcpsweep.report.cell_page
    import tcpsweep.report.sweep_page
    import tcpsweep.terminal.finished_sweep
    import tcpsweep.terminal.summary_table  # noqa: F401
