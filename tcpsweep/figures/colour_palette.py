# SPDX-License-Identifier: MIT
"""The colours of lines and marks, on a light ground and on a dark one."""

# Hues near Okabe and Ito's, chosen by a search. Any two are at least 25 apart in CIELAB, for normal sight and for
# people without red or green cones (Machado, Oliveira and Fernandes 2009). For print in grey they are at least 7.5
# apart in lightness: it is 26, 59, 67, 34, 75, 51, 6 and 43 of 100.
PALETTE = ["#033d7b", "#d67425", "#27b88a", "#833459", "#ffa500", "#0982b0", "#280910", "#6e6533"]
# Their replacements on a dark ground, by the same search with lightness from 46: at least 28 apart in CIELAB for each
# of the three kinds of sight, and 7.4 in lightness.
ON_DARK = ["#a89bff", "#c1892f", "#4f8c6e", "#e2adcf", "#f6ce2e", "#1d749f", "#cdf491", "#fdfee5"]


def colours(count: int) -> list[str]:
    """A colour for each of the lines; the palette starts again when it is used up."""
    return [PALETTE[number % len(PALETTE)] for number in range(count)]
