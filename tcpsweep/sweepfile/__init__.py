# SPDX-License-Identifier: MIT
"""Read a sweep file, check it, and expand it to a sweep."""
