# SPDX-License-Identifier: MIT
"""The commands for users, in the help's groups."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import A_SWEEP, BeforeRun, argument, clean_up, results, run, start


@start(
    "run a small sweep of CUBIC and BBR, and show its report: two minutes the first time",
    examples=["tcpsweep demo"],
)
def _demo(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import new_sweep, open_report, set_up

    set_up.complete()
    file = new_sweep.demo_file()
    if status := _run_sweep(file, [], args.before_runs):
        sys.exit(status)
    open_report.show(str(file))
    say(f"Edit {file} and run `tcpsweep sweep {file}`: only changed simulations run again.")


@start("install everything that sweeps need, such as ns-3", examples=["tcpsweep setup"])
def _setup(_: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import set_up

    say(set_up.complete())


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
    sys.exit(_run_sweep(args.sweep, args.options, args.before_runs))


def _run_sweep(file: Path, options: list[str], before_runs: Sequence[BeforeRun]) -> int:
    """Run a sweep with Snakemake's options, or print that it is finished; return the exit status."""
    from tcpsweep.core.command_line.commands import start_snakemake
    from tcpsweep.core.command_line.terminal import finished_sweep, first_words
    from tcpsweep.core.plan import checked_sweep

    start_snakemake.refuse_another_file(file, options)
    if any(run_by_feature(file, options) for run_by_feature in before_runs):
        return 0
    if options:  # check here, because Snakemake does not report the place of a YAML error
        checked_sweep.read(file)
    closing_words = "" if options else finished_sweep.closing_if_finished(file, sys.stdout)
    if closing_words:
        say(closing_words)
        return 0
    sys.stdout.flush()
    if start_snakemake.is_whole_run(options) and (opening_words := first_words.before_planning(file)):
        say(opening_words, file=sys.stderr, flush=True)
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
    from tcpsweep.core.plan import checked_sweep, plan, plan_words
    from tcpsweep.core.plan.plan_record import Workers

    if not args.without_ns3 and any(check_by_feature(args.sweep) for check_by_feature in args.before_checks):
        return
    if args.without_ns3:
        planned = checked_sweep.without_ns3(args.sweep)
        if args.tell:
            from tcpsweep.core.command_line.terminal import first_words

            say(first_words.before_set_up(planned))
        return
    checked_sweep.read(args.sweep, ask_ns3=True)
    cores = len(os.sched_getaffinity(0))
    prepared = plan.prepare(args.sweep, Workers(cores), writes=False)
    say(f"{plan_words.describe(prepared)}{plan_words.most_runs(prepared)}")


def _snaplen(text: str) -> str | int:
    """The captured part of a packet, in the form of a sweep file's ``snaplen``."""
    if text in ("headers", "full"):
        return text
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected headers, full or a number of bytes from 1 to 65535, got {text!r}")


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
    from tcpsweep.core.command_line.commands import new_sweep

    say(new_sweep.write(args.file, args.scenario, args.variants))


@run(
    "run one simulation again, and show or capture its packets",
    argument("id", "the id of a simulation, or a part of it that is unique"),
    argument("--pcap", "capture the packets of these interfaces", choices=["bottleneck", "all"]),
    argument(
        "--snaplen",
        "how much of each packet to keep: headers, full, or a number of bytes (default: headers)",
        type=_snaplen,
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
    from tcpsweep.core.command_line.commands import cell_again, one_cell
    from tcpsweep.core.store import locks

    captures = {name: getattr(args, name) for name in cell_again.OPTIONS if getattr(args, name)}
    with locks.programs(), locks.job():
        cell, command, sweep = one_cell.run(args.id, args.run_code)
        if captures or args.keep:
            one_cell.check_consent(command, args.run_code)
            say(f"\n{cell_again.run(cell, command, sweep, captures, args.keep)}")


@results(
    "compare two sweeps",
    argument("a", A_SWEEP),
    argument("b", "the sweep to compare with the first"),
    argument(
        "--fail",
        "fail if any metric changed, or if any byte of a simulation did",
        choices=["changed", "bytes"],
    ),
    examples=["tcpsweep compare before after", "tcpsweep compare before after --fail changed"],
)
def _compare(args: argparse.Namespace) -> None:
    from tcpsweep.core.campaigns import comparison_page, comparison_words, differences
    from tcpsweep.core.words import metrics

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
    "open the report of a sweep in a browser, and print its path",
    argument("sweep", f"{A_SWEEP} (default: the newest report)", nargs="?"),
    examples=["tcpsweep open", "tcpsweep open my-sweep"],
)
def _open(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import open_report

    say(str(open_report.show(args.sweep)))


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
    from tcpsweep.core.command_line.commands import listing

    say(listing.list_of_names(args.kind, args.scenario, args.prefix))


@clean_up(
    "list the files that no sweep needs any more, and remove them after a yes",
    examples=["tcpsweep prune"],
)
def _prune(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import prune

    prune.prune()


@clean_up(
    "list all results, programs, reports or logs, and remove them after a yes",
    argument(
        "what", "results, build (compiled programs), reports or logs", choices=["results", "build", "reports", "logs"]
    ),
    examples=["tcpsweep clean reports"],
)
def _clean(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import prune

    prune.clean(args.what)


COMMANDS = (_demo, _setup, _sweep, _check, _new, _cell, _compare, _open, _list, _prune, _clean)
