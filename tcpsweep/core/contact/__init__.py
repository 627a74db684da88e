# SPDX-License-Identifier: MIT
"""Contact: what a feature has to offer so that the core can use it without knowing its name."""
