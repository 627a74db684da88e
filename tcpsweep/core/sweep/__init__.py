# SPDX-License-Identifier: MIT
"""The sweep's record, from planning to report: its combinations, axes and runs."""
