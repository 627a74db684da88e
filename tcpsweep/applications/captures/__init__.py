# SPDX-License-Identifier: MIT
"""Imported captures, FlowMonitor files and ascii traces: their flows, tables, metrics and page."""
