# SPDX-License-Identifier: MIT
"""The base of all errors whose text says everything to the person at the command line."""


class UserError(Exception):
    """What is wrong, and what to write or do instead; `tcpsweep` prints the text without a traceback."""
