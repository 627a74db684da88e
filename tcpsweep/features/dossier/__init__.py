# SPDX-License-Identifier: MIT
"""The evaluation that RFC 9743 asks of a congestion control, as one report."""
