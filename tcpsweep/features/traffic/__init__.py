# SPDX-License-Identifier: MIT
"""Traffic beside the measured flows: its check, effects, figures and section of the report."""
