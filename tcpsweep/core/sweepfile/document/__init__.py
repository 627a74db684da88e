# SPDX-License-Identifier: MIT
"""The file as data: YAML with the place of each value, its sections, and its parts without errors."""
