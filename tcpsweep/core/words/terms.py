# SPDX-License-Identifier: MIT
"""Definitions of the report's terms, in a sentence or two; a page explains each term at its first use."""

TERMS = {
    "network": "A network condition: one value of each axis, without the variant and the axes that belong to it. "
    "Variants are compared within one network condition.",
    "combination": "One variant, or one mix, in one network condition.",
    "run": "One of several repetitions of a combination, with other random numbers.",
    "cell": "One simulation: a run of a combination. Its counts agree if senders, receivers, bottleneck and "
    "FlowMonitor counted the same bytes and packets.",
    "mix": "Several variants that share the bottleneck at the same time. The flows take them in turn.",
    "compared with": "Each run of a variant is compared with the baseline's run with the same number in the same "
    "network condition.",
    "steady": "A variant is steady if its means do not depend on the end of the simulation. Either its flows have "
    "enough losses after the warm-up, or all runs together show that its goodput and delay are level. Metrics that "
    "drift are not compared.",
    "warm-up": "The time at the beginning of a simulation that no metric counts.",
}
