# SPDX-License-Identifier: MIT
"""Captures of others and what else `tcpsweep import` reads: their flows, tables, metrics and page."""
