# SPDX-License-Identifier: MIT
"""Repetitions until means are precise enough: `precision` of a sweep file."""
