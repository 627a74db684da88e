# SPDX-License-Identifier: MIT
"""A sweep's results as polars frames, for people's own analysis: `tcpsweep.open`."""
