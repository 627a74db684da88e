# SPDX-License-Identifier: MIT
"""The sweep as one record from planning to report: its combinations, axes and runs."""
