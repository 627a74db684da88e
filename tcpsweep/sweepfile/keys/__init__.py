# SPDX-License-Identifier: MIT
"""The keys and values that may stand in a sweep file, and what to write instead of others."""
