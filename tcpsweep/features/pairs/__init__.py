# SPDX-License-Identifier: MIT
"""Mixes of two variants: each one's share, the harm that it does, and a ranking: `pairs` and `harm` of a sweep file."""
