# SPDX-License-Identifier: MIT
"""A sweep to share: as one file to keep, cite and rerun, or as tables that describe their own contents."""
