# SPDX-License-Identifier: MIT
"""A sweep file's other requests: figures, tables, precision, and axes whose values the sweep finds."""
