# SPDX-License-Identifier: MIT
"""Radios: checks of their parameters, and the map of their places."""
