# SPDX-License-Identifier: MIT
"""What is wrong with a file that a sweep file names."""


class Unfit(Exception):
    """What is wrong with it, as it goes on after its name: ``:LINE: …``, ``: …`` or ``is empty``."""
