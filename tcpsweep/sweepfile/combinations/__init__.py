# SPDX-License-Identifier: MIT
"""From a sweep file's data to the combinations of a sweep, and how many there may be."""
