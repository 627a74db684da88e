# SPDX-License-Identifier: MIT
"""``tcpsweep COMMAND …``: every command, in one table at the end.

Commands import what they need when they run, because every start of a step counts, and every look at a finished sweep.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


def own_programs_first() -> None:
    """Let this process, and those that it starts, find the programs beside its Python before all others.

    These are this command, Snakemake, CMake and Ninja, even if .venv is not activated.
    """
    own = str(Path(sys.executable).parent)
    others = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder != own]
    os.environ["PATH"] = os.pathsep.join([own, *others])


# --- Commands for people. ---


def _sweep(args: argparse.Namespace) -> None:
    from tcpsweep.commands import run_sweep
    from tcpsweep.plan import checked_sweep
    from tcpsweep.terminal import finished_sweep, first_words, summary
    from tcpsweep.words import control_characters

    if args.options:  # check here: Snakemake would not say where a file is no valid YAML
        checked_sweep.read(args.sweep)
    said = "" if args.options else finished_sweep.said(args.sweep, bars=summary.shows_bars(sys.stdout))
    if said:
        print(said)
        return
    sys.stdout.flush()
    is_first = run_sweep.is_whole_run(args.options) and not run_sweep.goes_on()
    if is_first and (words := first_words.before_planning(args.sweep)):
        print(control_characters.escaped(words), file=sys.stderr, flush=True)
    run_sweep.run(args.sweep, args.options, main)


def _check(args: argparse.Namespace) -> None:
    from tcpsweep.plan import checked_sweep
    from tcpsweep.sweep.refinement import MOST_VALUES
    from tcpsweep.words import control_characters

    if args.without_ns3:
        planned = checked_sweep.without_ns3(args.sweep)
        if args.tell:
            from tcpsweep.terminal import first_words

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


def _cell(args: argparse.Namespace) -> None:
    from tcpsweep.commands import cell_again, one_cell
    from tcpsweep.store import run_lock

    captures = {name: getattr(args, name) for name in cell_again.OPTIONS if getattr(args, name)}
    with run_lock.programs(), run_lock.job():
        cell, command, sweep = one_cell.run(args.id)
        if captures or args.keep:
            print(f"\n{cell_again.run(cell, command, sweep, captures, args.keep)}")


def _compare(args: argparse.Namespace) -> None:
    from tcpsweep.compare import comparison_page, comparison_words, differences
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


def _dossier(args: argparse.Namespace) -> None:
    from tcpsweep.commands import dossier

    # What stands behind the variant is Snakemake's, but for our own options.
    behind = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    behind.add_argument("--form", default=args.form)
    behind.add_argument("--summary", type=Path, default=args.summary)
    own, options = behind.parse_known_args([each for each in args.options if each != "--"])
    dossier.run(args.variant, own.form, options, own.summary)


def _verify(args: argparse.Namespace) -> None:
    from tcpsweep.commands import verify, verify_archive
    from tcpsweep.words import control_characters

    is_archive = args.sweep.endswith(".zip")
    wrong, words = verify_archive.archive(Path(args.sweep), not args.read) if is_archive else verify.sweep(args.sweep)
    print(control_characters.escaped("\n".join([*wrong, words])))
    if wrong:
        sys.exit(1)


def _archive(args: argparse.Namespace) -> None:
    from tcpsweep.commands import archive_sweep

    print(archive_sweep.write(args.sweep, args.to, args.licence or archive_sweep.LICENCE, args.author))


def _export(args: argparse.Namespace) -> None:
    from tcpsweep.commands import archive_sweep, export_tables

    print(export_tables.write(args.sweep, args.to, args.tables, args.licence or archive_sweep.LICENCE))


def _import(args: argparse.Namespace) -> None:
    from tcpsweep.commands import import_captures
    from tcpsweep.store import run_lock
    from tcpsweep.words import control_characters

    with run_lock.programs(), run_lock.job():
        folder, page, words = import_captures.run(args.files, args.name, args.partial)
    print(control_characters.escaped(words))
    print(f"tables: {folder}\nreport: {page}")


def _open(args: argparse.Namespace) -> None:
    from tcpsweep.commands import open_report

    print(open_report.show(args.sweep))


def _watch(args: argparse.Namespace) -> None:
    from tcpsweep.commands import watch_sweep

    watch_sweep.run(args.sweep, args.html, args.every, args.once)


def _list(args: argparse.Namespace) -> None:
    from tcpsweep.commands import listing

    print(listing.text(args.kind, args.scenario, args.prefix))


def _prune(args: argparse.Namespace) -> None:
    from tcpsweep.commands import prune

    prune.prune()


def _clean(args: argparse.Namespace) -> None:
    from tcpsweep.commands import prune

    prune.clean(args.what)


def _new(args: argparse.Namespace) -> None:
    from tcpsweep.commands import new_sweep

    print(new_sweep.write(args.file, args.scenario, args.variants))


# --- The steps of a sweep, as the rules call them. ---


def _compile(args: argparse.Namespace) -> None:
    from tcpsweep.ns3 import engine, programs

    programs.compile_program(engine.find(args.prefix), args.program)


def _ahead(args: argparse.Namespace) -> None:
    from tcpsweep.commands import compile_ahead

    compile_ahead.run(args.sweep)


def _decoder(args: argparse.Namespace) -> None:
    from tcpsweep.parse import packet_decoder

    packet_decoder.library()


def _cells(args: argparse.Namespace) -> None:
    from tcpsweep.run import cell_jobs, limits
    from tcpsweep.store import run_lock

    with run_lock.programs(), run_lock.job():  # the run that submitted the job may have been killed
        limit = limits.of(args.memory, args.minutes, args.last_attempt)
        cell_jobs.run(args.plan, limit, args.scratch, args.workers, args.under)


def _step(args: argparse.Namespace) -> AbstractContextManager[object]:
    from tcpsweep.store import run_lock

    return run_lock.step(args.folder)  # the next run waits for it, if this one is killed


def _aggregate(args: argparse.Namespace) -> None:
    from tcpsweep.analysis import aggregate

    def is_sound(file: Mapping[str, Any], point: Mapping[str, Any]) -> bool:
        from tcpsweep.sweepfile import searched_networks  # heavy, and for searches alone

        return searched_networks.is_sound(file, dict(point))

    with _step(args):
        aggregate.write(args.folder, is_sound)


def _figures(args: argparse.Namespace) -> None:
    from tcpsweep.figures import static_figures

    with _step(args):
        static_figures.write(args.folder)


def _report(args: argparse.Namespace) -> None:
    from tcpsweep.report import sweep_page

    with _step(args):
        sweep_page.write(args.folder, args.page)


def _pages(args: argparse.Namespace) -> None:
    from tcpsweep.report import cell_page

    with _step(args):
        cell_page.write(args.folder, args.place, args.workers)


def _finish(args: argparse.Namespace) -> None:
    from tcpsweep.store import claims, run_lock
    from tcpsweep.sweep import failures
    from tcpsweep.terminal import finished_sweep, summary

    failed = failures.failures(args.folder)
    reasons = [f"{len(failed)} of the sweep's cells have no result"] if failed else []
    reasons += [text for text in [summary.unmet(args.folder)] if text]
    if reasons:
        sys.exit("\n".join(reasons))
    failures.forget(args.folder)
    if not run_lock.is_alone():
        claims.clear()  # of a folder that was read-only for a moment
    finished_sweep.write(args.folder, args.page, args.place)


def _reference(args: argparse.Namespace) -> None:
    from tcpsweep.commands import reference
    from tcpsweep.store import whole_files

    whole_files.write_whole(args.page, reference.page())


def _schema(args: argparse.Namespace) -> None:
    from tcpsweep.commands import editor_files
    from tcpsweep.store import whole_files

    whole_files.write_whole(args.file, editor_files.schema_text())


# --- The table. ---


@dataclass(frozen=True)
class Command:
    """A command: its name, one line on what it does, its function, and its arguments, made by `argument`."""

    name: str
    does: str
    run: Callable[[argparse.Namespace], None]
    arguments: tuple[tuple[str, dict[str, Any]], ...] = ()


def argument(name: str, text: str, **options: Any) -> tuple[str, dict[str, Any]]:
    """An argument of a command: its name, or an option's, its help, and other options of argparse."""
    return name, {"help": text, **options}


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


_A_SWEEP = "a sweep: its name in results/sweeps, its folder, or its sweep file"
_TABLES = ["summary", "effects", "runs", "flows", "links", "traffic"]
_FOLDER = argument("folder", "the sweep's folder, results/sweeps/NAME", type=Path)

FOR_PEOPLE = (
    Command(
        "sweep",
        "run a sweep, or say that it is finished",
        _sweep,
        (
            argument("sweep", "the sweep file", type=Path),
            argument("options", "options of snakemake", nargs=argparse.REMAINDER),
        ),
    ),
    Command(
        "check",
        "say what is wrong with a sweep file",
        _check,
        (
            argument("sweep", "the sweep file", type=Path),
            argument("--without-ns3", "only what needs no ns-3; say nothing if it is right", action="store_true"),
            argument("--tell", "with --without-ns3: say what is coming, and how long it takes", action="store_true"),
        ),
    ),
    Command(
        "new",
        "write a commented sweep file to start from; on a terminal, ask what it should sweep",
        _new,
        (
            argument("file", "the file to write, such as my-sweep.yaml", type=Path),
            argument("--scenario", "the topology, such as dumbbell"),
            argument("--variants", "congestion controls, such as cubic TcpBbr", nargs="+", default=()),
        ),
    ),
    Command(
        "cell",
        "run one cell and show it; with options, run it again beside its results",
        _cell,
        (
            argument("id", "its id, or a part that only it has"),
            argument("--pcap", "capture the packets of these interfaces", choices=["bottleneck", "all"]),
            argument("--snaplen", "how much of each packet: headers (unless given), full, or bytes", type=_snaplen),
            argument("--ascii", "write ns-3's ascii trace of point-to-point links", action="store_true"),
            argument("--anim", "write an animation for NetAnim; --keep keeps it", action="store_true"),
            argument("--text", "write the traces as text; --keep keeps it", action="store_true"),
            argument("--keep", "keep what ns-3 wrote, pcap files among it", action="store_true"),
        ),
    ),
    Command(
        "compare",
        "compare two sweeps",
        _compare,
        (
            argument("a", _A_SWEEP),
            argument("b", "another, seen from the first"),
            argument(
                "--fail",
                "fail if a difference is shown, or if a cell is not identical",
                choices=["changed", "bytes"],
            ),
        ),
    ),
    Command(
        "dossier",
        "run what RFC 9743 asks of a congestion control, and write one report",
        _dossier,
        (
            argument("variant", "the congestion control, ns-3's or a file's in ns3-scenarios/variants"),
            argument("--form", "short, some ten minutes on two cores (unless given), or full", default="short"),
            argument("--summary", "write it in short there too, as Markdown", type=Path, metavar="DIR"),
            argument("options", "options of snakemake", nargs=argparse.REMAINDER),
        ),
    ),
    Command(
        "verify",
        "read all files of a sweep again, and say which are not what was written; run an archive's cells again",
        _verify,
        (
            argument("sweep", f"{_A_SWEEP}; or an archive, NAME.zip"),
            argument("--read", "only read an archive, and run nothing", action="store_true"),
        ),
    ),
    Command(
        "archive",
        "pack a finished sweep into one file, an RO-Crate, to keep, publish and run again",
        _archive,
        (
            argument("sweep", _A_SWEEP),
            argument("--to", "the file; the sweep's name and .zip unless given", type=Path, metavar="FILE"),
            argument("--licence", "the address of the licence of the data; CC BY 4.0 unless given", metavar="URL"),
            argument("--author", "a name, or an ORCID address; may be given again", action="append", default=[]),
        ),
    ),
    Command(
        "export",
        "write a sweep's tables as CSV with a data dictionary, for people who have no tcpsweep",
        _export,
        (
            argument("sweep", _A_SWEEP),
            argument("--to", "the folder; the sweep's name and -data unless given", type=Path, metavar="FOLDER"),
            argument("--tables", "some of them; all unless given", nargs="+", default=[], choices=_TABLES),
            argument("--licence", "the address of the licence of the data; CC BY 4.0 unless given", metavar="URL"),
        ),
    ),
    Command(
        "import",
        "make tables and a report of captures of others",
        _import,
        (
            argument(
                "files",
                "captures (pcap, pcapng), FlowMonitor's flow.xml, an ascii trace of ns-3",
                nargs="+",
                type=Path,
                metavar="FILE",
            ),
            argument("--name", "what the import is called; as the first file unless given"),
            argument("--partial", "take what comes before the place where a file is damaged", action="store_true"),
        ),
    ),
    Command(
        "open",
        "open a sweep's report in a browser, and say where it is",
        _open,
        (argument("sweep", f"{_A_SWEEP}; the newest report unless given", nargs="?"),),
    ),
    Command(
        "watch",
        "watch a sweep that runs elsewhere, or has not begun: cells, failures, time left, first results",
        _watch,
        (
            argument("sweep", _A_SWEEP),
            argument("--html", "write it as a page too, which loads itself again and again", type=Path, metavar="FILE"),
            argument("--every", "how often to look, in s (5)", type=_seconds, default=5.0, metavar="S"),
            argument("--once", "look once and end", action="store_true"),
        ),
    ),
    Command(
        "list",
        "list what a sweep file can name",
        _list,
        (
            argument(
                "kind",
                "variants, metrics, parameters, discs or scenarios",
                choices=["variants", "metrics", "parameters", "discs", "scenarios"],
            ),
            argument("scenario", "the scenario whose parameters are listed; those of all unless given", nargs="?"),
            argument("--prefix", "where ns-3 is, unless in the Python environment", metavar="DIR"),
        ),
    ),
    Command("prune", "list what no sweep asks for any more and, after a yes, remove it", _prune),
    Command(
        "clean",
        "list all of a kind and, after a yes, remove it",
        _clean,
        (argument("what", "results, build, reports or logs", choices=["results", "build", "reports", "logs"]),),
    ),
)
STEPS = (
    Command(
        "compile",
        "compile what is in ns3-scenarios/",
        _compile,
        (
            argument("program", "dumbbell, variants/TcpWestwood, …"),
            argument("--prefix", "where ns-3 is, unless in the Python environment", metavar="DIR"),
        ),
    ),
    Command(
        "ahead",
        "compile what a sweep needs, beside the set-up",
        _ahead,
        (argument("sweep", "the sweep file", type=Path),),
    ),
    Command("decoder", "compile the library that reads pcap files", _decoder),
    Command(
        "cells",
        "simulate and parse the cells of a job",
        _cells,
        (
            argument("plan", "the job's plan file", type=Path),
            argument("--memory", "what the job may take, on a cluster", type=int, metavar="MB"),
            argument("--minutes", "how long the job may take, on a cluster", type=int),
            argument("--last-attempt", "record what needs more than that as failed", action="store_true"),
            argument("--scratch", "where raw files are written that nobody keeps", type=Path, metavar="DIR"),
            argument("--workers", "how many processes take the cells, on this machine", type=int),
            argument("--under", "begin no more cells once this process has ended", type=int, metavar="PID"),
        ),
    ),
    Command("aggregate", "make a sweep's tables", _aggregate, (_FOLDER,)),
    Command("figures", "draw a sweep's figures", _figures, (_FOLDER,)),
    Command("report", "write a sweep's report", _report, (_FOLDER, argument("page", "the page to write", type=Path))),
    Command(
        "pages",
        "write a page for each cell",
        _pages,
        (
            _FOLDER,
            argument("place", "the folder to write them in", type=Path),
            argument("--workers", "how many processes make them (1)", type=int, default=1),
        ),
    ),
    Command(
        "finish",
        "fail if a cell of the sweep failed or an expectation does not hold",
        _finish,
        (
            _FOLDER,
            argument("page", "its report", type=Path),
            argument("place", "the folder of its cells' pages", type=Path),
        ),
    ),
    Command(
        "reference",
        "write the documentation's reference page",
        _reference,
        (argument("page", "the page to write", type=Path),),
    ),
    Command(
        "schema",
        "write the JSON Schema by which editors complete and check sweep files, with the names that ns-3 has",
        _schema,
        (argument("file", "the file to write", type=Path),),
    ),
)

# The steps that a run's process for steps, which has loaded what they need, forks for their commands.
_MAY_BE_FORKED = ("aggregate", "figures", "report", "pages", "finish")


def _listed(heading: str, commands: Sequence[Command]) -> str:
    return "\n".join([f"{heading}:", *(f"  {command.name:10} {command.does}" for command in commands)])


class _Version(argparse.Action):
    """Print the version, which takes a look at git, and end."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from tcpsweep.identity import release

        print(f"tcpsweep {release.version()}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    lists = [_listed("commands", FOR_PEOPLE), _listed("steps of a sweep, as its rules call them", STEPS)]
    parser = argparse.ArgumentParser(
        prog="tcpsweep",
        usage="tcpsweep COMMAND …",
        description="\n\n".join(
            [*lists, "`tcpsweep COMMAND --help` says what a command takes; `tcpsweep --version` says which this is."]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    parser.add_argument("--version", action=_Version, nargs=0, help=argparse.SUPPRESS)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, help=argparse.SUPPRESS)
    for command in (*FOR_PEOPLE, *STEPS):
        sub = commands.add_parser(command.name, prog=f"tcpsweep {command.name}", description=command.does)
        for name, options in command.arguments:
            sub.add_argument(name, **options)
        sub.set_defaults(run=command.run)
    return parser


# The errors whose text says everything, by their modules.
_FOR_PEOPLE = (
    ("tcpsweep.archive.contents", "Unfit"),
    ("tcpsweep.commands.dossier", "Wrong"),
    ("tcpsweep.commands.export_tables", "Refused"),
    ("tcpsweep.commands.listing", "Unknown"),
    ("tcpsweep.commands.new_sweep", "Refused"),
    ("tcpsweep.commands.one_cell", "Unknown"),
    ("tcpsweep.commands.open_report", "NoReport"),
    ("tcpsweep.commands.verify_archive", "NoArchive"),
    ("tcpsweep.commands.watch_sweep", "NotWatched"),
    ("tcpsweep.compare.two_sweeps", "Unable"),
    ("tcpsweep.frames.finding", "NoSweep"),
    ("tcpsweep.identity.cpp_code", "UnknownInclude"),
    ("tcpsweep.ns3.installation", "EngineError"),
    ("tcpsweep.parse.imported_files", "NoImport"),
    ("tcpsweep.plan.plan", "Stop"),
    ("tcpsweep.report.cell_page", "Failed"),
    ("tcpsweep.run.cell_jobs", "CellFailed"),
    ("tcpsweep.store.cell_files", "Damaged"),
    ("tcpsweep.store.compiled_programs", "BuildError"),
    ("tcpsweep.store.digests", "Differs"),
    ("tcpsweep.store.run_lock", "Busy"),
    ("tcpsweep.sweep.sweep_record", "Unreadable"),
    ("tcpsweep.sweepfile.yaml_document", "Mistakes"),
)


def _is_for_people(error: Exception) -> bool:
    """Whether an error's text says everything, so that it needs no traceback. Modules not loaded have raised none."""
    loaded = ((sys.modules[module], name) for module, name in _FOR_PEOPLE if module in sys.modules)
    return isinstance(error, tuple(getattr(module, name) for module, name in loaded))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the command line names."""
    given = sys.argv[1:] if arguments is None else [*arguments]
    if given and given[0] in _MAY_BE_FORKED:
        from tcpsweep.run import step_request

        if (status := step_request.status(given)) is not None:
            sys.exit(status)
    args = _parser().parse_args(given)
    own_programs_first()
    try:
        args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")
    except BrokenPipeError:  # `| head` has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if _is_for_people(error):
            from tcpsweep.words import control_characters

            sys.exit(control_characters.escaped(str(error)))
        raise
