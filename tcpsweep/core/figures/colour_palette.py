# SPDX-License-Identifier: MIT
"""The colours of lines and marks, on a light ground and on a dark one, and which of them each variant has."""

# Hues near Okabe and Ito's, chosen by a search. Any two are at least 25 apart in CIELAB, for normal sight and for
# people without red or green cones (Machado, Oliveira and Fernandes 2009). For print in grey they are at least 7.5
# apart in lightness: it is 26, 59, 67, 34, 75, 51, 6 and 43 of 100.
PALETTE = ["#033d7b", "#d67425", "#27b88a", "#833459", "#ffa500", "#0982b0", "#280910", "#6e6533"]
# Their replacements on a dark ground, by the same search with lightness from 46: at least 28 apart in CIELAB for each
# of the three kinds of sight, and 7.4 in lightness.
ON_DARK = ["#a89bff", "#c1892f", "#4f8c6e", "#e2adcf", "#f6ce2e", "#1d749f", "#cdf491", "#fdfee5"]
# More colours for sweeps of many variants, where shapes tell variants apart too. Any two of all colours are at least 16
# apart for each of the three kinds of sight, and at least 28 for normal sight. Those of one shape differ in lightness.
FURTHER = ["#784bc3", "#f087ff", "#690000", "#ff4b69", "#0000ff", "#b4a5c3", "#b43cff", "#001ec3", "#000069"]
FURTHER_ON_DARK = ["#964bd2", "#e14bc3", "#ff8769", "#ff3c78", "#a50fff", "#a5c3ff", "#f0ff00", "#5ae1a5", "#5a782d"]
EVERY, EVERY_ON_DARK = PALETTE + FURTHER, ON_DARK + FURTHER_ON_DARK

# ns-3's variants: each has its colour in every sweep. The most frequent ones have the palette's.
VARIANTS = {
    name: number
    for number, name in enumerate(
        [
            *("TcpLinuxReno", "TcpCubic", "TcpBbr", "TcpNewReno", "TcpVegas", "TcpDctcp", "TcpLedbat"),
            *("TcpWestwoodPlus", "TcpBic", "TcpHighSpeed", "TcpHtcp", "TcpHybla", "TcpIllinois", "TcpLp"),
            *("TcpScalable", "TcpVeno", "TcpYeah"),
        ]
    )
}
VARIANTS["TcpWestwood"] = VARIANTS["TcpWestwoodPlus"]  # its name in older versions of ns-3
# The order in which other variants and mixes take colours that a sweep leaves: those of rare variants first.
OTHERS = [5, 7, 6, 4, 3, 0, 2, 1, *range(len(PALETTE), len(EVERY))]
