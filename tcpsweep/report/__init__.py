# SPDX-License-Identifier: MIT
"""From tables and figures to pages: the report, and a page for each cell."""
