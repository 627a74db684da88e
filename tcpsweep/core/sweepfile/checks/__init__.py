# SPDX-License-Identifier: MIT
"""Check that valid values fit together, and that this ns-3 and this kernel have the named variants and attributes."""
