# SPDX-License-Identifier: MIT
"""From tables and traces to figures."""
