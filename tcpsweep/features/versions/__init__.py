# SPDX-License-Identifier: MIT
"""A sweep in several versions of ns-3, and the commit by which conclusions changed."""
