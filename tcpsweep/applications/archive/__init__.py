# SPDX-License-Identifier: MIT
"""A sweep for others: in one file to keep, cite and run again, or as tables that say what is in them."""
