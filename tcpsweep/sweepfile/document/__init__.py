# SPDX-License-Identifier: MIT
"""The file as data: YAML with the place of each value, its sections, and what of it is sound."""
