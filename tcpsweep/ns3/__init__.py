# SPDX-License-Identifier: MIT
"""The ns-3 that a sweep runs in: find or build it, ask what it has, and compile programs for it."""
