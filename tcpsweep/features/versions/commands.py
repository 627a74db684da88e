# SPDX-License-Identifier: MIT
"""The command line of several versions of ns-3."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import argument, own_options, run


@run(
    "run a sweep in several versions of ns-3, and show which conclusions change",
    argument("sweep", "the sweep file", type=Path),
    argument(
        "--ns3",
        "a version: 3.44 or another that is installed, the folder of an installed ns-3 or of a source, or "
        "DIR@COMMIT; repeat it for each version (default: the list `ns3` of the sweep file)",
        action="append",
        default=[],
        metavar="NS3",
    ),
    argument("options", "options of Snakemake, such as --cores 1", nargs=argparse.REMAINDER),
    examples=[
        "tcpsweep versions my-sweep.yaml --ns3 3.37 --ns3 3.44",
        "tcpsweep versions my-sweep.yaml --ns3 3.44 --ns3 ~/ns-3-dev@ns-3.48",
    ],
)
def _versions(args: argparse.Namespace) -> None:
    from tcpsweep.features.versions import versions_run

    own, options = own_options(args, ns3={"action": "append"})
    versions_run.run(args.sweep, own.ns3, options)


@run(
    "find the commit of ns-3 by which the conclusions of a sweep changed",
    argument("sweep", "the sweep file", type=Path),
    argument("--source", "a git repository of ns-3, which may be bare", type=Path, required=True, metavar="DIR"),
    argument("--good", "the older commit: a hash, a tag or a branch", required=True, metavar="COMMIT"),
    argument("--bad", "the newer commit (default: HEAD)", default="HEAD", metavar="COMMIT"),
    argument("--expect", "only the expectations that contain this text", metavar="TEXT"),
    argument(
        "--finding",
        'only the findings that contain these words, such as "congestion_loss TcpCubic" (default: all that flip)',
        metavar="TEXT",
    ),
    examples=["tcpsweep bisect my-sweep.yaml --source ~/ns-3-dev --good ns-3.44 --bad ns-3.48"],
)
def _bisect(args: argparse.Namespace) -> None:
    from tcpsweep.features.versions import bisect_run

    bisect_run.run(args.sweep, args.source, args.good, args.bad, args.expect, args.finding)


def run_listed(file: Path, options: Sequence[str]) -> bool:
    """Run a sweep file in each version of its list ``ns3``; False if it has none."""
    from tcpsweep.core.plan import checked_sweep

    if has_list := checked_sweep.asks_for_several_ns3(file):
        from tcpsweep.features.versions import versions_run

        versions_run.run(file, (), options)
    return has_list


def check_listed(file: Path) -> bool:
    """Check a sweep file in each version of its list ``ns3``; False if it has none."""
    from tcpsweep.core.plan import checked_sweep

    if has_list := checked_sweep.asks_for_several_ns3(file):
        from tcpsweep.features.versions import versions_run

        say(versions_run.check(file))
    return has_list


COMMANDS = (_versions, _bisect)
