# SPDX-License-Identifier: MIT
"""Commands beside the sweep: one cell, housekeeping, the reference."""
