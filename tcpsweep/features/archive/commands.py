# SPDX-License-Identifier: MIT
"""The command line of archives and exports."""

import argparse
import sys
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import A_SWEEP, argument, results, share, unlisted

TABLES = ["summary", "effects", "runs", "flows", "groups", "links", "traffic"]


def _size(text: str) -> int:
    """A number of bytes, with a unit or plain."""
    from tcpsweep.core.words import quantity_forms

    try:
        return quantity_forms.byte_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@share(
    "check every file of a sweep against its digest; run the simulations of an archive again",
    argument("sweep", f"{A_SWEEP}; or an archive, NAME.zip"),
    argument("--read", "compare the files of an archive with their checksums, and run nothing", action="store_true"),
    argument(
        "--run-code",
        "compile and run the ns-3, variants and scenarios inside the archive: its author's code runs as you",
        action="store_true",
    ),
    argument(
        "--most",
        "the most bytes that an archive may unpack to (default: 10 times its size plus 100 MB)",
        type=_size,
        metavar="SIZE",
    ),
    examples=["tcpsweep verify my-sweep", "tcpsweep verify my-sweep.zip --read"],
)
def _verify(args: argparse.Namespace) -> None:
    from tcpsweep.features.archive import verify_archive, verify_sweep

    if args.sweep.endswith(".zip"):
        words, status = verify_archive.archive(Path(args.sweep), not args.read, args.run_code, args.most)
    else:
        wrong, said, _ = verify_sweep.sweep(args.sweep)
        words, status = "\n".join([*wrong, said]), int(bool(wrong))
    say(words)
    sys.exit(status)


@share(
    "pack a finished sweep into one file (an RO-Crate) to keep, publish and run again",
    argument("sweep", A_SWEEP),
    argument("--to", "the file to write (default: NAME.zip)", type=Path, metavar="FILE"),
    argument("--licence", "the URL of the licence of the data (default: CC BY 4.0)", metavar="URL"),
    argument("--author", "a name or an ORCID URL; repeat it for several authors", action="append", default=[]),
    examples=["tcpsweep archive my-sweep", 'tcpsweep archive my-sweep --author "Ada Lovelace" --to lovelace.zip'],
)
def _archive(args: argparse.Namespace) -> None:
    from tcpsweep.features.archive import archive_file

    say(archive_file.write(args.sweep, args.to, args.licence or archive_file.LICENCE, args.author))


@results(
    "write the tables of a sweep as CSV with a data dictionary",
    argument("sweep", A_SWEEP),
    argument("--to", "the folder to write (default: NAME-data)", type=Path, metavar="FOLDER"),
    argument("--tables", "the tables to write (default: all)", nargs="+", default=[], choices=TABLES),
    argument("--licence", "the URL of the licence of the data (default: CC BY 4.0)", metavar="URL"),
    examples=["tcpsweep export my-sweep", "tcpsweep export my-sweep --tables summary effects --to data"],
)
def _export(args: argparse.Namespace) -> None:
    from tcpsweep.features.archive import archive_file, export_folder

    say(export_folder.write(args.sweep, args.to, args.tables, args.licence or archive_file.LICENCE))


@unlisted(
    "run an archive's cells again in an empty folder, for `tcpsweep verify`",
    argument("sweep", "the sweep file in the unpacked archive", type=Path),
    argument("archived", "the folder of the sweep in the archive", type=Path),
)
def _rerun(args: argparse.Namespace) -> None:
    from tcpsweep.features.archive import verify_archive

    sys.exit(verify_archive.rerun(args.sweep, args.archived))


COMMANDS = (_verify, _archive, _export, _rerun)
