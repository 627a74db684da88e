# SPDX-License-Identifier: MIT
"""The command line of the dossier."""

import argparse
from pathlib import Path

from tcpsweep.core.contact.command import argument, own_options, run


@run(
    "run the evaluation that RFC 9743 asks of a congestion control, and write one report",
    argument(
        "variant",
        "a congestion control of ns-3, a file in ns3-scenarios/variants, or a file of your own, such as ./TcpMine.cc",
    ),
    argument("--form", "short (a quarter of an hour on two cores) or full (a night) (default: short)", default="short"),
    argument("--summary", "also write a summary there, as Markdown", type=Path, metavar="DIR"),
    argument("options", "options of Snakemake, such as -n", nargs=argparse.REMAINDER),
    examples=["tcpsweep dossier TcpBbr", "tcpsweep dossier ./TcpMine.cc --form full"],
)
def _dossier(args: argparse.Namespace) -> None:
    from tcpsweep.features.dossier import dossier_run

    settings, options = own_options(args, form={}, summary={"type": Path})
    dossier_run.run(args.variant, settings.form, options, settings.summary)


COMMANDS = (_dossier,)
