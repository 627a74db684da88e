# SPDX-License-Identifier: MIT
"""Damage, made at random with fixed seeds, and what must come of it."""

import os


def seeds(few):
    """The seeds of a test: few in CI, as many as ``TCPSWEEP_MUTATIONS`` says where it is set."""
    return range(int(os.environ.get("TCPSWEEP_MUTATIONS") or few))
