# SPDX-License-Identifier: MIT
"""The command line of kernels."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.contact.command import argument, start


@start(
    "build a Linux kernel for simulations in virtual time, once, or list the kernels that were built",
    argument("action", "build or list", choices=["build", "list"]),
    argument(
        "source",
        "the kernel's source: a package such as linux-source-6.12, a folder or a tarball; default: the newest "
        "linux-source package that is installed",
        nargs="?",
    ),
    argument("--name", "a name for the kernel in sweep files, as in `kernel: [linux-6.12, bbr3]`"),
    examples=["tcpsweep kernel build linux-source-6.12", "tcpsweep kernel build ~/linux-bbr3 --name bbr3"],
)
def _kernel(args: argparse.Namespace) -> None:
    from tcpsweep.features.linux import kernel_command

    if args.action == "build":
        kernel_command.build(args.source, args.name)
    elif args.source or args.name:
        args.parser.error("`tcpsweep kernel list` takes no source and no name")
    else:
        kernel_command.show_all()


def build_kernel(file: Path, options: Sequence[str]) -> bool:
    """Build the first kernel before a whole run of a sweep file that needs one. Returns False: the run is to follow."""
    from tcpsweep.core.command_line.commands import start_snakemake
    from tcpsweep.features.linux import kernel_command

    if start_snakemake.is_whole_run(options):
        kernel_command.build_if_asked(file)
    return False


COMMANDS = (_kernel,)
