# SPDX-License-Identifier: MIT
"""``python -m tcpsweep`` is the command ``tcpsweep``."""

from tcpsweep.command_line import main

if __name__ == "__main__":
    main.main()
