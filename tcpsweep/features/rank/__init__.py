# SPDX-License-Identifier: MIT
"""Many congestion controls that nobody has reviewed, compiled and run in sandboxes, and ranked."""
