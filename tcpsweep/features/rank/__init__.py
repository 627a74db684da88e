# SPDX-License-Identifier: MIT
"""Many congestion controls that nobody has reviewed, ranked against a baseline on shown and on hidden networks."""
