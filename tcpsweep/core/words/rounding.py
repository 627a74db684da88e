# SPDX-License-Identifier: MIT
"""Numbers with their intervals, sizes and spans of time as text for people."""

import math

# Shown instead of a value that is undefined because no flow carried data.
NO_TRAFFIC = "no traffic"
LEAST = 1e-9


def mean_text(
    value: float | None,
    low: float | None,
    high: float | None,
    scale: float,
    interval: str = "t",
    most: int | None = None,
) -> str:
    """A mean with its interval, to the second digit of the half-width: ``2.0 ± 0.3``, or ``2.0 [1.8, 2.5]``.

    The ends of a bootstrap interval are in brackets, because they may differ in their distance from the mean. So are
    those of Student's interval "t" if it would begin below 0: it is cut there, because rates and delays are not below
    0. A "difference" may be.
    ``most`` limits the mean's significant digits after the point: ``1.440 ± < 0.001``.
    """
    if value is None:
        return "–"
    mean = value * scale
    if low is None or high is None:
        return f"{mean:.4g}"
    half_width = (high - low) / 2 * scale
    if half_width <= abs(mean) * 1e-12:  # rounding of a mean over equal values
        return f"{mean:.4g} ± 0"
    digits = 0
    while half_width * 10**digits < 9.5 and digits < 6:
        digits += 1
    if most is not None and mean:
        digits = max(0, min(digits, most - 1 - math.floor(math.log10(abs(mean)))))
        if half_width < 0.5 * 10**-digits:
            return f"{mean:.{digits}f} ± < {10**-digits:.{digits}f}"
    if interval == "difference" or (interval == "t" and (low >= 0 or mean < 0)):
        return f"{mean:.{digits}f} ± {half_width:.{digits}f}"
    least = max(0.0, low) if interval == "t" else low
    return f"{mean:.{digits}f} [{least * scale:.{digits}f}, {high * scale:.{digits}f}]"


def significant(value: float, digits: int = 2) -> str:
    """A number to ``digits`` significant digits, or to a whole number if that is finer; no exponent.

    A number below `LEAST` is the rounding error of a difference of equal numbers, and 0.
    """
    if abs(value) < LEAST:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def signed(value: float, digits: int = 3) -> str:
    """A number as `significant` has it with its sign: ``+1240``, ``−3.4``, ``0``."""
    text = significant(abs(value), digits)
    if text == "0":
        return text
    return f"+{text}" if value > 0 else f"−{text}"


def with_minus(text: str) -> str:
    """A number's text with a minus sign in place of each hyphen."""
    return text.replace("-", "−")


def difference_with_unit(text: str, unit: str) -> str:
    """A difference with its unit; a difference of two shares in percent is in percentage points."""
    return f"{text} {'percentage points' if unit == '%' else unit}".rstrip()


def bytes_text(count: float) -> str:
    """A number of bytes, to three digits."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


def time_text(seconds: float) -> str:
    """A span of time: in seconds below 1.5 min, in minutes below 1.5 h, else in hours and minutes."""
    if seconds < 89.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"
