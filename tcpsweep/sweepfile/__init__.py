# SPDX-License-Identifier: MIT
"""A sweep file read, checked, and expanded to a sweep."""
