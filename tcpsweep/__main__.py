# SPDX-License-Identifier: MIT
"""``python -m tcpsweep`` is the command ``tcpsweep``."""

from collections.abc import Sequence

from tcpsweep import registry
from tcpsweep.core.command_line import main


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command in the command line, or in ``arguments``."""
    main.main(arguments, of_features=registry.COMMANDS)


if __name__ == "__main__":
    run()
