# SPDX-License-Identifier: MIT
"""Commands that the rules call to compile, and commands that write generated files."""

import argparse
import functools
from pathlib import Path

from tcpsweep.core.command_line.command import Command, argument, collect

COMMANDS: list[Command] = []
command = functools.partial(collect, COMMANDS)


@command(
    "compile a program or a variant in ns3-scenarios/",
    argument("program", "dumbbell, variants/TcpWestwood, …"),
    argument("--prefix", "the folder of an ns-3 (default: the Python environment's)", metavar="DIR"),
)
def _compile(args: argparse.Namespace) -> None:
    from tcpsweep.core.ns3 import engine, programs

    programs.compile_program(engine.find(args.prefix), args.program)


@command("compile a sweep's programs during the set-up", argument("sweep", "the sweep file", type=Path))
def _ahead(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import set_up

    set_up.compile_ahead(args.sweep)


@command("compile the library that reads pcap files")
def _decoder(args: argparse.Namespace) -> None:
    from tcpsweep.core.parse import packet_decoder

    packet_decoder.library()


@command(
    "write the documentation's reference pages",
    argument("page", "the first page; the others are written next to it, such as reference-metrics.md", type=Path),
)
def _reference(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import reference

    reference.write(args.page)


@command("write the documentation's page of the command line", argument("page", "the page to write", type=Path))
def _commands(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import interface_pages
    from tcpsweep.core.store import whole_files

    whole_files.write_whole(args.page, interface_pages.command_line_page(args.commands, args.groups))


@command(
    "write the JSON Schema with which editors complete and check sweep files, with ns-3's names",
    argument("file", "the file to write", type=Path),
)
def _schema(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import listing
    from tcpsweep.core.store import whole_files

    whole_files.write_whole(args.file, listing.schema_text())


@command(
    "write the C++ header with the units and defaults of scenarios' parameters",
    argument("file", "the file to write", type=Path),
)
def _parameters(args: argparse.Namespace) -> None:
    from tcpsweep.core.store import whole_files
    from tcpsweep.core.sweepfile.keys import scenario_parameters

    whole_files.write_whole(args.file, scenario_parameters.header_text())
