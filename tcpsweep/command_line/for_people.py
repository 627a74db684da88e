# SPDX-License-Identifier: MIT
"""The commands for users, in the help's groups."""

import argparse
import functools
import os
import sys
from pathlib import Path
from typing import Any

from tcpsweep.command_line import command
from tcpsweep.command_line.command import Command, argument, collect
from tcpsweep.command_line.terminal.say import say

GROUPS = ("Start", "Run", "Results", "Share", "Clean")
COMMANDS: list[Command] = []
start, run, results, share, clean_up = (functools.partial(collect, COMMANDS, group=group) for group in GROUPS)

_A_SWEEP = "a sweep: its name, its folder in results/sweeps, or its sweep file"
_TABLES = ["summary", "effects", "runs", "flows", "groups", "links", "traffic"]


@start(
    "run a small sweep of CUBIC and BBR, and show its report: two minutes the first time",
    examples=["tcpsweep demo"],
)
def _demo(_: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import new_sweep, open_report, set_up

    set_up.complete()
    file = new_sweep.demo_file()
    if status := _swept(file, []):
        sys.exit(status)
    open_report.show(str(file))
    say(f"Edit {file} and run `tcpsweep sweep {file}`: only changed simulations run again.")


@start("install everything that sweeps need, such as ns-3", examples=["tcpsweep setup"])
def _setup(_: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import set_up

    say(set_up.complete())


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
    from tcpsweep.command_line.commands import kernels

    if args.action == "build":
        kernels.build(args.source, args.name)
    elif args.source or args.name:
        args.parser.error("`tcpsweep kernel list` takes no source and no name")
    else:
        kernels.show_all()


@run(
    "run a sweep, and skip every simulation that has a result",
    argument("sweep", "the sweep file", type=Path),
    argument("options", "options of Snakemake, such as -n", nargs=argparse.REMAINDER),
    examples=[
        "tcpsweep sweep my-sweep.yaml",
        "tcpsweep sweep my-sweep.yaml -n        # show what is left to do, and run nothing",
    ],
)
def _sweep(args: argparse.Namespace) -> None:
    sys.exit(_swept(args.sweep, args.options))


def _swept(file: Path, options: list[str]) -> int:
    """Run a sweep with Snakemake's options, or print that it is finished; return the exit status."""
    from tcpsweep.command_line.commands import kernels, start_snakemake
    from tcpsweep.command_line.terminal import finished_sweep, first_words, summary
    from tcpsweep.plan import checked_sweep

    start_snakemake.refuse_another_file(file, options)
    if checked_sweep.asks_for_several_ns3(file):
        from tcpsweep.command_line.commands import versions

        versions.run(file, (), options)
        return 0
    if start_snakemake.is_whole_run(options):
        kernels.build_if_asked(file)
    if options:  # check here, because Snakemake does not report the place of a YAML error
        checked_sweep.read(file)
    said = "" if options else finished_sweep.closing_if_finished(file, bars=summary.shows_bars(sys.stdout))
    if said:
        say(said)
        return 0
    sys.stdout.flush()
    if start_snakemake.is_whole_run(options) and (words := first_words.before_planning(file)):
        say(words, file=sys.stderr, flush=True)
    return start_snakemake.run(file, options)


@start(
    "check a sweep file, and show what it would run and for how long",
    argument("sweep", "the sweep file", type=Path),
    argument(
        "--without-ns3", "skip checks that need ns-3, and print nothing if the file is right", action="store_true"
    ),
    argument("--tell", "with --without-ns3: print what the sweep runs, and for how long", action="store_true"),
    examples=["tcpsweep check my-sweep.yaml", "tcpsweep check --without-ns3 my-sweep.yaml"],
)
def _check(args: argparse.Namespace) -> None:
    from tcpsweep.plan import checked_sweep, plan, plan_words

    if checked_sweep.asks_for_several_ns3(args.sweep) and not args.without_ns3:
        from tcpsweep.command_line.commands import versions

        say(versions.check(args.sweep))
        return
    if args.without_ns3:
        planned = checked_sweep.without_ns3(args.sweep)
        if args.tell:
            from tcpsweep.command_line.terminal import first_words

            say(first_words.before_set_up(planned))
        return
    checked_sweep.read(args.sweep, ask_ns3=True)
    cores = len(os.sched_getaffinity(0))
    found = plan.prepare(args.sweep, cores, cores=cores, writes=False)
    say(f"{plan_words.describe(found)}{plan_words.most_runs(found)}")


@start(
    "write a commented sweep file to start from, or a congestion control in C++",
    argument("file", "the file to write, such as my-sweep.yaml or TcpMine.cc", type=Path),
    argument("--scenario", "the topology (default: dumbbell; asked on a terminal)"),
    argument(
        "--variants",
        "congestion controls, such as cubic TcpBbr (default: LinuxReno, CUBIC and BBR)",
        nargs="+",
        default=(),
    ),
    examples=["tcpsweep new my-sweep.yaml --scenario dumbbell --variants cubic bbr", "tcpsweep new TcpMine.cc"],
)
def _new(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import new_sweep

    say(new_sweep.write(args.file, args.scenario, args.variants))


@run(
    "run one simulation again, and show or capture its packets",
    argument("id", "the id of a simulation, or a part of it that is unique"),
    argument("--pcap", "capture the packets of these interfaces", choices=["bottleneck", "all"]),
    argument(
        "--snaplen",
        "how much of each packet to keep: headers, full, or a number of bytes (default: headers)",
        type=command.snaplen,
    ),
    argument("--ascii", "write ns-3's ascii trace of point-to-point links", action="store_true"),
    argument("--anim", "write an animation for NetAnim; --keep keeps it", action="store_true"),
    argument("--text", "write the traces as text; --keep keeps it", action="store_true"),
    argument("--keep", "keep the files that ns-3 wrote, including pcap", action="store_true"),
    argument(
        "--run-code",
        "allow the simulation to run programs that are its flows, and another ns-3, as you",
        action="store_true",
    ),
    examples=["tcpsweep cell 3f2a", "tcpsweep cell 3f2a --pcap bottleneck --keep"],
)
def _cell(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import cell_again, one_cell
    from tcpsweep.store import locks

    captures = {name: getattr(args, name) for name in cell_again.OPTIONS if getattr(args, name)}
    with locks.programs(), locks.job():
        cell, command, sweep = one_cell.run(args.id, args.run_code)
        if captures or args.keep:
            one_cell.check_consent(command, args.run_code)
            say(f"\n{cell_again.run(cell, command, sweep, captures, args.keep)}")


@results(
    "compare two sweeps",
    argument("a", _A_SWEEP),
    argument("b", "the sweep to compare with the first"),
    argument(
        "--fail",
        "fail if any metric changed, or if any byte of a simulation did",
        choices=["changed", "bytes"],
    ),
    examples=["tcpsweep compare before after", "tcpsweep compare before after --fail changed"],
)
def _compare(args: argparse.Namespace) -> None:
    from tcpsweep.campaigns import comparison_page, comparison_words, differences
    from tcpsweep.words import metrics

    page, table, alike, cells = comparison_page.write(args.a, args.b)
    say(f"{alike} of {cells} simulations are identical, byte for byte")
    for name, text in comparison_words.verdicts(table).items():
        if metrics.METRICS[name].headline:
            say(f"{metrics.METRICS[name].title}: {text}")
    say(f"comparison: {page}")
    changed = differences.changed(table).height
    if args.fail == "bytes" and alike < cells:
        sys.exit(f"{cells - alike} of {cells} simulations are not identical")
    if args.fail == "changed" and changed:
        sys.exit(f"{changed} differences are shown")


@results(
    "certify ns-3's TCP: show where it is equivalent to Linux' TCP in a sweep that has run",
    argument("sweep", f"{_A_SWEEP}; it has `stack: ns-3` and `stack: linux`"),
    argument("--shares", "also write the shares that reports show, as YAML", type=Path, metavar="FILE"),
    examples=["tcpsweep certificate config/certificate.yaml"],
)
def _certificate(args: argparse.Namespace) -> None:
    from tcpsweep.applications.certificate import certificate_files, certificate_shares
    from tcpsweep.words import control_characters

    page, said = certificate_files.write(args.sweep)
    if args.shares:
        certificate_shares.write(args.sweep, args.shares)
    say(f"{control_characters.escaped(said)}\ncertificate: {page}")


def _own_options(args: argparse.Namespace, **own: dict[str, Any]) -> tuple[argparse.Namespace, list[str]]:
    """A command's own options, with those after its first argument; the others there are Snakemake's."""
    after = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name, settings in own.items():
        after.add_argument(f"--{name}", default=getattr(args, name), **settings)
    return after.parse_known_args([each for each in args.options if each != "--"])


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
    from tcpsweep.command_line.commands import dossier

    own, options = _own_options(args, form={}, summary={"type": Path})
    dossier.run(args.variant, own.form, options, own.summary)


@run(
    "compare two versions of your congestion control, of a QUIC stack or of a kernel, for a pull request",
    argument(
        "base",
        "the old version: a C++ file, such as ../base/TcpMine.cc, the folder of a QUIC stack, such as "
        "../base/quic-stacks/noq, or a kernel, such as linux-6.12",
    ),
    argument("head", "the new version"),
    argument(
        "--sweep",
        "the sweep file with the network conditions (default: eight conditions of tcpsweep's, in five minutes)",
        type=Path,
        metavar="FILE",
    ),
    examples=[
        "tcpsweep gate ../base/TcpMine.cc ./TcpMine.cc",
        "tcpsweep gate linux-6.12 my-patch --sweep my-sweep.yaml",
    ],
)
def _gate(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import gate

    said, status = gate.run(args.base, args.head, args.sweep)
    say(said)
    sys.exit(status)


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
    from tcpsweep.command_line.commands import versions

    own, options = _own_options(args, ns3={"action": "append"})
    versions.run(args.sweep, own.ns3, options)


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
    from tcpsweep.command_line.commands import bisect

    bisect.run(args.sweep, args.source, args.good, args.bad, args.expect, args.finding)


@share(
    "check every file of a sweep against its digest; run the simulations of an archive again",
    argument("sweep", f"{_A_SWEEP}; or an archive, NAME.zip"),
    argument("--read", "compare the files of an archive with their checksums, and run nothing", action="store_true"),
    argument(
        "--run-code",
        "compile and run the ns-3, variants and scenarios inside the archive: its author's code runs as you",
        action="store_true",
    ),
    argument(
        "--most",
        "the most bytes that an archive may unpack to (default: 10 times its size plus 100 MB)",
        type=command.size,
        metavar="SIZE",
    ),
    examples=["tcpsweep verify my-sweep", "tcpsweep verify my-sweep.zip --read"],
)
def _verify(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import verify, verify_archive

    if args.sweep.endswith(".zip"):
        words, status = verify_archive.archive(Path(args.sweep), not args.read, args.run_code, args.most)
    else:
        wrong, said, _ = verify.sweep(args.sweep)
        words, status = "\n".join([*wrong, said]), int(bool(wrong))
    say(words)
    sys.exit(status)


@share(
    "pack a finished sweep into one file (an RO-Crate) to keep, publish and run again",
    argument("sweep", _A_SWEEP),
    argument("--to", "the file to write (default: NAME.zip)", type=Path, metavar="FILE"),
    argument("--licence", "the URL of the licence of the data (default: CC BY 4.0)", metavar="URL"),
    argument("--author", "a name or an ORCID URL; repeat it for several authors", action="append", default=[]),
    examples=["tcpsweep archive my-sweep", 'tcpsweep archive my-sweep --author "Ada Lovelace" --to lovelace.zip'],
)
def _archive(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import archive_sweep

    say(archive_sweep.write(args.sweep, args.to, args.licence or archive_sweep.LICENCE, args.author))


@results(
    "write the tables of a sweep as CSV with a data dictionary",
    argument("sweep", _A_SWEEP),
    argument("--to", "the folder to write (default: NAME-data)", type=Path, metavar="FOLDER"),
    argument("--tables", "the tables to write (default: all)", nargs="+", default=[], choices=_TABLES),
    argument("--licence", "the URL of the licence of the data (default: CC BY 4.0)", metavar="URL"),
    examples=["tcpsweep export my-sweep", "tcpsweep export my-sweep --tables summary effects --to data"],
)
def _export(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import archive_sweep, export_tables

    say(export_tables.write(args.sweep, args.to, args.tables, args.licence or archive_sweep.LICENCE))


@results(
    "make tables and a report from packet captures",
    argument(
        "files",
        "captures (pcap, pcapng), FlowMonitor's flow.xml, an ascii trace of ns-3",
        nargs="+",
        type=Path,
        metavar="FILE",
    ),
    argument("--name", "the name of the import (default: the first file's)"),
    argument("--partial", "read a damaged file up to the damaged place", action="store_true"),
    examples=["tcpsweep import trace.pcap", "tcpsweep import client.pcap server.pcap --name upload"],
)
def _import(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import import_captures
    from tcpsweep.store import locks

    with locks.programs(), locks.job():
        folder, page, words = import_captures.run(args.files, args.name, args.partial)
    say(words)
    say(f"tables: {folder}\nreport: {page}")


@results(
    "open the report of a sweep in a browser, and print its path",
    argument("sweep", f"{_A_SWEEP} (default: the newest report)", nargs="?"),
    examples=["tcpsweep open", "tcpsweep open my-sweep"],
)
def _open(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import open_report

    say(str(open_report.show(args.sweep)))


@run(
    "watch a sweep: finished simulations, failures, time left, first results",
    argument("sweep", _A_SWEEP),
    argument("--every", "seconds between two looks (default: 5)", type=command.seconds, default=5.0, metavar="S"),
    argument("--once", "look once, print, and end", action="store_true"),
    examples=["tcpsweep watch my-sweep", "tcpsweep watch my-sweep --once"],
)
def _watch(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import watch_sweep

    if watch_sweep.run(args.sweep, args.every, args.once):
        sys.exit(1)


@start(
    "list the names that a sweep file can use",
    argument(
        "kind",
        "variants, metrics, parameters, discs or scenarios",
        choices=["variants", "metrics", "parameters", "discs", "scenarios"],
    ),
    argument("scenario", "list the parameters of this scenario (default: all scenarios)", nargs="?"),
    argument("--prefix", "the folder of an ns-3 (default: the one in the Python environment)", metavar="DIR"),
    examples=["tcpsweep list variants", "tcpsweep list parameters dumbbell"],
)
def _list(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import listing

    say(listing.list_of_names(args.kind, args.scenario, args.prefix))


@clean_up(
    "list the files that no sweep needs any more, and remove them after a yes",
    examples=["tcpsweep prune"],
)
def _prune(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import prune

    prune.prune()


@clean_up(
    "list all results, programs, reports or logs, and remove them after a yes",
    argument(
        "what", "results, build (compiled programs), reports or logs", choices=["results", "build", "reports", "logs"]
    ),
    examples=["tcpsweep clean reports"],
)
def _clean(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import prune

    prune.clean(args.what)
