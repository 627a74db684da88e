# SPDX-License-Identifier: MIT
"""From a sweep file's data to a sweep's combinations, and the limits on their number."""
