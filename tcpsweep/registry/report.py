# SPDX-License-Identifier: MIT
"""The figures, sections and answers that features add to a report. The step `report` has this list as its code."""
