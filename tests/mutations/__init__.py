# SPDX-License-Identifier: MIT
"""Random damage with fixed seeds, and its required consequences."""

import os


def seeds(few):
    """The seeds of a test: few in CI, as many as ``TCPSWEEP_MUTATIONS`` says where it is set."""
    return range(int(os.environ.get("TCPSWEEP_MUTATIONS") or few))
