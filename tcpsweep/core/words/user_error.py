# SPDX-License-Identifier: MIT
"""The base of all errors whose text is a complete message for the user."""


class UserError(Exception):
    """A problem, and what to write or do instead; `tcpsweep` prints the text without a traceback."""
