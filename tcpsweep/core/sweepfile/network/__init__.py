# SPDX-License-Identifier: MIT
"""A combination's network: its graph, and the files that it names."""
