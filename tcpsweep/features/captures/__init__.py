# SPDX-License-Identifier: MIT
"""Tables and a report from packet captures that others made."""
