# SPDX-License-Identifier: MIT
"""A sweep file's expectations: read them, judge them, and report the outcomes."""
