# SPDX-License-Identifier: MIT
"""Numbers of bytes and spans of time as text for people."""


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
