# SPDX-License-Identifier: MIT
"""A sweep while it runs: what has ended, what failed, and first results."""
