# SPDX-License-Identifier: MIT
"""The types of commands' arguments, with a message for each wrong text."""

import argparse


def snaplen(text: str) -> str | int:
    """The captured part of a packet, in the form of a sweep file's ``snaplen``."""
    if text in ("headers", "full"):
        return text
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected headers, full or a number of bytes from 1 to 65535, got {text!r}")


def seconds(text: str) -> float:
    """A time of a second or more."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if 1 <= found <= 86400:
        return found
    raise argparse.ArgumentTypeError(f"expected a number of seconds from 1 to 86400, got {text!r}")


def size(text: str) -> int:
    """A number of bytes, with a unit or plain."""
    from tcpsweep.words import quantity_forms

    try:
        return quantity_forms.byte_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
