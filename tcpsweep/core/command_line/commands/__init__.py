# SPDX-License-Identifier: MIT
"""Commands other than `sweep`: single cells, housekeeping, the reference, and more."""
