# SPDX-License-Identifier: MIT
"""The commands for people."""

import argparse
import functools
import sys
from pathlib import Path

from tcpsweep.command_line.command import Command, argument, collect

COMMANDS: list[Command] = []
command = functools.partial(collect, COMMANDS)

_A_SWEEP = "a sweep: its name in results/sweeps, its folder, or its sweep file"
_TABLES = ["summary", "effects", "runs", "flows", "links", "traffic"]


def _snaplen(text: str) -> str | int:
    """How much of a packet is captured, as a sweep file's ``snaplen``."""
    if text in ("headers", "full"):
        return text
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected headers, full or a number of bytes from 1 to 65535, got {text!r}")


def _seconds(text: str) -> float:
    """A time of a second or more."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if 1 <= found <= 86400:
        return found
    raise argparse.ArgumentTypeError(f"expected a number of seconds from 1 to 86400, got {text!r}")


def _size(text: str) -> int:
    """A number of bytes, with or without its unit."""
    from tcpsweep.words import quantity_forms

    try:
        return quantity_forms.byte_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@command(
    "run a sweep, or say that it is finished",
    argument("sweep", "the sweep file", type=Path),
    argument("options", "options of snakemake", nargs=argparse.REMAINDER),
)
def _sweep(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import start_snakemake
    from tcpsweep.command_line.terminal import finished_sweep, first_words, summary
    from tcpsweep.plan import checked_sweep
    from tcpsweep.words import control_characters

    if args.options:  # check here: Snakemake would not say where a file is no valid YAML
        checked_sweep.read(args.sweep)
    said = "" if args.options else finished_sweep.closing_if_finished(args.sweep, bars=summary.shows_bars(sys.stdout))
    if said:
        print(said)
        return
    sys.stdout.flush()
    if start_snakemake.is_whole_run(args.options) and (words := first_words.before_planning(args.sweep)):
        print(control_characters.escaped(words), file=sys.stderr, flush=True)
    sys.exit(start_snakemake.run(args.sweep, args.options))


@command(
    "say what is wrong with a sweep file",
    argument("sweep", "the sweep file", type=Path),
    argument("--without-ns3", "only what needs no ns-3; say nothing if it is right", action="store_true"),
    argument("--tell", "with --without-ns3: say what is coming, and how long it takes", action="store_true"),
)
def _check(args: argparse.Namespace) -> None:
    from tcpsweep.plan import checked_sweep
    from tcpsweep.sweep.rounds import MOST_VALUES
    from tcpsweep.words import control_characters

    if args.without_ns3:
        planned = checked_sweep.without_ns3(args.sweep)
        if args.tell:
            from tcpsweep.command_line.terminal import first_words

            print(control_characters.escaped(first_words.before_set_up(planned)))
        return
    _, sweep, _ = checked_sweep.read(args.sweep, ask_ns3=True)
    runs = sum(sweep.run_counts())
    most = sweep.search.cells if sweep.search else len(sweep.runs) * len(sweep.combinations)
    in_rounds = sweep.precision or sweep.search or sweep.refinement
    more = ""
    if sweep.refinement:
        most, more = most * MOST_VALUES // len(sweep.points), ", more around each turn"
    said = f"{runs} runs at first{more}, {most} at most" if in_rounds else f"{runs} runs in all"
    print(control_characters.escaped(f"{args.sweep}: {sweep.counted()}, {said}"))


@command(
    "write a commented sweep file to start from; on a terminal, ask what it should sweep",
    argument("file", "the file to write, such as my-sweep.yaml", type=Path),
    argument("--scenario", "the topology, such as dumbbell"),
    argument("--variants", "congestion controls, such as cubic TcpBbr", nargs="+", default=()),
)
def _new(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import new_sweep

    print(new_sweep.write(args.file, args.scenario, args.variants))


@command(
    "run one cell and show it; with options, run it again beside its results",
    argument("id", "its id, or a part that only it has"),
    argument("--pcap", "capture the packets of these interfaces", choices=["bottleneck", "all"]),
    argument("--snaplen", "how much of each packet: headers (unless given), full, or bytes", type=_snaplen),
    argument("--ascii", "write ns-3's ascii trace of point-to-point links", action="store_true"),
    argument("--anim", "write an animation for NetAnim; --keep keeps it", action="store_true"),
    argument("--text", "write the traces as text; --keep keeps it", action="store_true"),
    argument("--keep", "keep what ns-3 wrote, pcap files among it", action="store_true"),
)
def _cell(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import cell_again, one_cell
    from tcpsweep.store import run_lock

    captures = {name: getattr(args, name) for name in cell_again.OPTIONS if getattr(args, name)}
    with run_lock.programs(), run_lock.job():
        cell, command, sweep = one_cell.run(args.id)
        if captures or args.keep:
            print(f"\n{cell_again.run(cell, command, sweep, captures, args.keep)}")


@command(
    "compare two sweeps",
    argument("a", _A_SWEEP),
    argument("b", "another, seen from the first"),
    argument(
        "--fail",
        "fail if a difference is shown, or if a cell is not identical",
        choices=["changed", "bytes"],
    ),
)
def _compare(args: argparse.Namespace) -> None:
    from tcpsweep.applications.comparison import comparison_page, comparison_words, differences
    from tcpsweep.words import metrics

    page, table, alike, cells = comparison_page.write(args.a, args.b)
    print(f"{alike} of {cells} cells are identical to the byte")
    for name, text in comparison_words.verdicts(table).items():
        if metrics.METRICS[name].headline:
            print(f"{metrics.METRICS[name].title}: {text}")
    print(f"comparison: {page}")
    changed = differences.changed(table).height
    if args.fail == "bytes" and alike < cells:
        sys.exit(f"{cells - alike} of {cells} cells are not identical")
    if args.fail == "changed" and changed:
        sys.exit(f"{changed} differences are shown")


@command(
    "run what RFC 9743 asks of a congestion control, and write one report",
    argument("variant", "the congestion control, ns-3's or a file's in ns3-scenarios/variants"),
    argument("--form", "short, some ten minutes on two cores (unless given), or full", default="short"),
    argument("--summary", "write it in short there too, as Markdown", type=Path, metavar="DIR"),
    argument("options", "options of snakemake", nargs=argparse.REMAINDER),
)
def _dossier(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import dossier

    # What stands behind the variant is Snakemake's, but for our own options.
    behind = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    behind.add_argument("--form", default=args.form)
    behind.add_argument("--summary", type=Path, default=args.summary)
    own, options = behind.parse_known_args([each for each in args.options if each != "--"])
    dossier.run(args.variant, own.form, options, own.summary)


@command(
    "read all files of a sweep again, and say which are not what was written; run an archive's cells again",
    argument("sweep", f"{_A_SWEEP}; or an archive, NAME.zip"),
    argument("--read", "only read an archive, and run nothing", action="store_true"),
    argument(
        "--run-code", "compile and run the ns-3, variants and scenarios that an archive brings", action="store_true"
    ),
    argument(
        "--most", "what an archive may unpack to (default: 10 times its size and 100 MB)", type=_size, metavar="SIZE"
    ),
)
def _verify(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import verify, verify_archive
    from tcpsweep.words import control_characters

    if args.sweep.endswith(".zip"):
        words, status = verify_archive.archive(Path(args.sweep), not args.read, args.run_code, args.most)
    else:
        wrong, said, _ = verify.sweep(args.sweep)
        words, status = "\n".join([*wrong, said]), int(bool(wrong))
    print(control_characters.escaped(words))
    sys.exit(status)


@command(
    "pack a finished sweep into one file, an RO-Crate, to keep, publish and run again",
    argument("sweep", _A_SWEEP),
    argument("--to", "the file; the sweep's name and .zip unless given", type=Path, metavar="FILE"),
    argument("--licence", "the address of the licence of the data; CC BY 4.0 unless given", metavar="URL"),
    argument("--author", "a name, or an ORCID address; may be given again", action="append", default=[]),
)
def _archive(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import archive_sweep

    print(archive_sweep.write(args.sweep, args.to, args.licence or archive_sweep.LICENCE, args.author))


@command(
    "write a sweep's tables as CSV with a data dictionary, for people who have no tcpsweep",
    argument("sweep", _A_SWEEP),
    argument("--to", "the folder; the sweep's name and -data unless given", type=Path, metavar="FOLDER"),
    argument("--tables", "some of them; all unless given", nargs="+", default=[], choices=_TABLES),
    argument("--licence", "the address of the licence of the data; CC BY 4.0 unless given", metavar="URL"),
)
def _export(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import archive_sweep, export_tables

    print(export_tables.write(args.sweep, args.to, args.tables, args.licence or archive_sweep.LICENCE))


@command(
    "make tables and a report of captures of others",
    argument(
        "files",
        "captures (pcap, pcapng), FlowMonitor's flow.xml, an ascii trace of ns-3",
        nargs="+",
        type=Path,
        metavar="FILE",
    ),
    argument("--name", "what the import is called; as the first file unless given"),
    argument("--partial", "take what comes before the place where a file is damaged", action="store_true"),
)
def _import(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import import_captures
    from tcpsweep.store import run_lock
    from tcpsweep.words import control_characters

    with run_lock.programs(), run_lock.job():
        folder, page, words = import_captures.run(args.files, args.name, args.partial)
    print(control_characters.escaped(words))
    print(f"tables: {folder}\nreport: {page}")


@command(
    "open a sweep's report in a browser, and say where it is",
    argument("sweep", f"{_A_SWEEP}; the newest report unless given", nargs="?"),
)
def _open(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import open_report

    print(open_report.show(args.sweep))


@command(
    "watch a sweep that runs elsewhere, or has not begun: cells, failures, time left, first results",
    argument("sweep", _A_SWEEP),
    argument("--html", "write it as a page too, which loads itself again and again", type=Path, metavar="FILE"),
    argument("--every", "how often to look, in s (5)", type=_seconds, default=5.0, metavar="S"),
    argument("--once", "look once and end", action="store_true"),
)
def _watch(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import watch_sweep

    watch_sweep.run(args.sweep, args.html, args.every, args.once)


@command(
    "list what a sweep file can name",
    argument(
        "kind",
        "variants, metrics, parameters, discs or scenarios",
        choices=["variants", "metrics", "parameters", "discs", "scenarios"],
    ),
    argument("scenario", "the scenario whose parameters are listed; those of all unless given", nargs="?"),
    argument("--prefix", "where ns-3 is, unless in the Python environment", metavar="DIR"),
)
def _list(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import listing

    print(listing.list_of_names(args.kind, args.scenario, args.prefix))


@command("list what no sweep asks for any more and, after a yes, remove it")
def _prune(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import prune

    prune.prune()


@command(
    "list all of a kind and, after a yes, remove it",
    argument("what", "results, build, reports or logs", choices=["results", "build", "reports", "logs"]),
)
def _clean(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import prune

    prune.clean(args.what)
