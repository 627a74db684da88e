# SPDX-License-Identifier: MIT
"""The paths of results, their locks and digests, whole writes, and compiled programs."""
