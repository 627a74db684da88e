# SPDX-License-Identifier: MIT
"""Archives of sweeps, how they are verified, and exported tables."""
