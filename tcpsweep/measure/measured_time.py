# SPDX-License-Identifier: MIT
"""The rate of the bottleneck over the time that counts."""


def mean_rate(rates, from_s, to_s):
    """The mean of ``rates`` over a time, in bit/s."""
    ends = [since for since, _ in rates[1:]] + [to_s]
    bits = sum(
        max(0.0, min(end, to_s) - max(since, from_s)) * rate for (since, rate), end in zip(rates, ends, strict=True)
    )
    return bits / (to_s - from_s)
