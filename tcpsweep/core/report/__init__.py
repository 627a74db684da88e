# SPDX-License-Identifier: MIT
"""Write pages from tables and figures: the report, and a page for each cell."""
