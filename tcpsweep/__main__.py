# SPDX-License-Identifier: MIT
"""``python -m tcpsweep`` is the command ``tcpsweep``."""

from tcpsweep import registry
from tcpsweep.core.command_line import main


def run() -> None:
    """Run the command in the command line."""
    main.main(of_features=registry.COMMANDS)


if __name__ == "__main__":
    run()
