# SPDX-License-Identifier: MIT
"""Definitions of the report's terms, in a sentence or two; a page explains each term at its first use."""

TERMS = {
    "network": "One value of each axis but the variant, and what goes with it: what the variants have in common where "
    "they are compared.",
    "combination": "One value of each axis: a variant in a network.",
    "run": "One of several repetitions of a combination, which differ only in their random draws.",
    "cell": "One simulation: a run of a combination. Its counts agree if senders, receivers, bottleneck and "
    "FlowMonitor have seen the same bytes and packets.",
    "mix": "Several variants that share the bottleneck at the same time, their flows in turn.",
    "held against": "Each variant's runs are compared with the baseline's of the same number in the same network.",
    "steady": "A variant is steady if its means do not depend on where the simulation was cut: its flows have had "
    "enough losses after the warm-up, or all runs together show that its goodput and delay are level.",
    "warm-up": "The time at a simulation's beginning that no metric counts.",
}
