# SPDX-License-Identifier: MIT
"""The tables that features add to a sweep. The step `aggregate` has this list, and what it imports, as its code."""
