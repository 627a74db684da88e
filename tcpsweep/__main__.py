# SPDX-License-Identifier: MIT
"""``python -m tcpsweep`` is the command ``tcpsweep``."""

from tcpsweep import cli

if __name__ == "__main__":
    cli.main()
