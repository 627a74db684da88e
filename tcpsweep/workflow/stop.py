# SPDX-License-Identifier: MIT
"""End Snakemake with a message."""

import sys
from typing import NoReturn

from tcpsweep.words import control_characters


def stop(message: object) -> NoReturn:
    """End Snakemake with a message and without a traceback."""
    tell(str(message))
    sys.exit(1)


def tell(message: str) -> None:
    """Print a line on standard error, at once, with escapes in place of characters that a terminal obeys."""
    print(control_characters.escaped(message), file=sys.stderr, flush=True)
