# SPDX-License-Identifier: MIT
"""The ns-3 that a sweep runs in: find or build it, list its types, and compile programs for it."""
