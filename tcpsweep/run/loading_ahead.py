# SPDX-License-Identifier: MIT
"""Load libraries once for processes that are forked afterwards."""

import gc
import os
from collections.abc import Callable


def load(imports: Callable[[], object]) -> None:
    """Import what is needed, without threads that a fork would miss.

    But for one: that of polars which removes what it wrote to disk for lack of memory. Nothing here makes it do so.

    Parameters
    ----------
    imports : callable
        Imports it, and runs nothing of it.
    """
    # No threads for matrices, nor those in which the allocators of polars and Arrow give memory back.
    os.environ |= {
        "OPENBLAS_NUM_THREADS": "1",
        "_RJEM_MALLOC_CONF": "background_thread:false",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }
    imports()
    gc.collect()
    gc.freeze()
