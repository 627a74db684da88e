# SPDX-License-Identifier: MIT
"""The font, shapes, dashes and shades that all charts share. `chart_theme` has the rest of their look."""

SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left"]
SOLID, DASHES = [1, 0], [[5, 2], [2, 2], [6, 2, 2, 2]]
SSTHRESH_DASH = [4, 3]
# The backgrounds of congestion states.
SHADES = {"disorder": "#e4e4e4", "CWR": "#bfe3f5", "recovery": "#f6dc9b", "loss": "#f2b8a0"}
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
