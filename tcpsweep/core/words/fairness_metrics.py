# SPDX-License-Identifier: MIT
"""Metrics of fairness: how flows share the link."""

from tcpsweep.core.words.metric_form import BOUNDED, OF_FAIRNESS, Metric, S
from tcpsweep.core.words.thresholds import FAIR, FAIR_WINDOWS, LEAST_WINDOW_S, WINDOW_RTTS

METRICS = {
    "jain": Metric(
        "Jain's fairness index",
        "1",
        "network",
        "(Σ xᵢ)² / (n Σ xᵢ²) over the goodputs xᵢ of the n forward flows while all of them are active; 1 if all are "
        "equal, 1/n if one has all; none if that time is shorter than a window of `jain_windows`, or nothing arrived",
        "Jain, Chiu and Hawe 1984",
        better="higher",
        headline=True,
        **OF_FAIRNESS,
    ),
    "jain_windows": Metric(
        "Jain's index over windows",
        "1",
        "network",
        "mean over windows: Jain's index of the payload that arrived for the flows present throughout the window; "
        f"a window is {WINDOW_RTTS} times the longest base round trip, at least {LEAST_WINDOW_S:g} s, and counts if "
        "two flows or more are present and something arrived",
        "Jain, Chiu and Hawe 1984; RFC 5166, section 2.3",
        better="higher",
        **OF_FAIRNESS,
    ),
    "convergence_s": Metric(
        "Convergence time",
        "s",
        "network",
        f"from the last flow's start to the beginning of the first of {FAIR_WINDOWS} windows in a row with a Jain's "
        f"index of {FAIR} or more; windows as in `jain_windows`; none if there are no such windows",
        "RFC 5166, section 2.3",
        better="lower",
        **BOUNDED,
        needs_steady=False,
        censored=True,
        **S,
    ),
    "share": Metric(
        "Share of a mix's goodput",
        "1",
        "flow",
        "in a mix: xᵢ · n / Σ x over the goodputs x of the n forward flows, in the time of Jain's index; a variant's "
        "mean is its part of all goodput / its part of the flows; 1 is an equal share",
        "Jain, Chiu and Hawe 1984: fraction of the fair share",
        **BOUNDED,
        fair=1.0,
    ),
    "rtt_ratio": Metric(
        "Goodput of short round trips against long",
        "1",
        "network",
        "if base round trips differ: mean goodput of the forward flows with the shortest / mean goodput of flows with "
        "the longest, in the time of Jain's index; 1 if delay does not matter; none if either is 0",
        "Lakshman and Madhow 1997",
        **BOUNDED,
    ),
    "rtt_exponent": Metric(
        "RTT unfairness",
        "1",
        "network",
        "the exponent a if goodput falls as RTT⁻ᵃ: ln(goodput at the shortest / at the longest base round trip) / "
        "ln(longest / shortest base round trip); 0 if delay does not matter",
        "Lakshman and Madhow 1997",
        **BOUNDED,
        smallest=0.02,
    ),
}
