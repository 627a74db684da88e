# SPDX-License-Identifier: MIT
"""Networks in which a difference is largest: `search` of a sweep file."""
