# SPDX-License-Identifier: MIT
"""``python -m tcpsweep STEP …``: each step by hand, as the rules call it."""

import argparse
import os
import sys
from pathlib import Path

from tcpsweep import codeid, engine, metrics, sweepfile
from tcpsweep.build import BuildError


def _compile(args):
    engine.compile_program(engine.find(args.prefix), args.program)


def _decoder(args):
    from tcpsweep import decoder

    decoder.library()


def _cells(args):
    from tcpsweep import limits, simulate

    simulate.run(args.plan, limits.of(args.memory, args.minutes, args.last_attempt), args.scratch)


def _aggregate(args):
    from tcpsweep import aggregate

    aggregate.write(args.folder)


def _figures(args):
    from tcpsweep import figures

    figures.write(args.folder)


def _report(args):
    from tcpsweep import report

    report.write(args.folder, args.page)


def _pages(args):
    from tcpsweep import cellpage

    try:
        cellpage.write(args.folder, args.place, args.workers)
    except cellpage.Failed as error:
        sys.exit(str(error))


def _finish(args):
    from tcpsweep import complete, summary

    failed = summary.failures(args.folder)
    reasons = [f"{len(failed)} of the sweep's cells have no result"] if failed else []
    reasons += [text for text in [summary.unmet(args.folder)] if text]
    if reasons:
        sys.exit("\n".join(reasons))
    complete.write(args.folder, args.page, args.place)


def _compare(args):
    from tcpsweep import compare, comparison

    try:
        page, table, alike, cells = comparison.write(args.a, args.b)
    except compare.Unable as error:
        sys.exit(str(error))
    print(f"{alike} of {cells} cells are identical to the byte")
    for name, text in compare.verdicts(table).items():
        if metrics.METRICS[name].headline:
            print(f"{metrics.METRICS[name].title}: {text}")
    print(f"comparison: {page}")
    changed = compare.changed(table).height
    if args.fail == "bytes" and alike < cells:
        sys.exit(f"{cells - alike} of {cells} cells are not identical")
    if args.fail == "changed" and changed:
        sys.exit(f"{changed} differences are shown")


def _check(args):
    from tcpsweep import plan

    _, sweep, _ = plan.read(args.sweep, ask_ns3=True)
    runs = sum(len(sweep.runs_of(number)) for number in range(len(sweep.combinations)))
    print(f"{args.sweep}: {sweep.counted()}, {runs} runs in all")


def _sweep(args):
    from tcpsweep import complete, plan

    try:
        if args.options:  # Snakemake would not say where a file is not YAML
            plan.read(args.sweep)
        said = "" if args.options else complete.said(args.sweep)
    except plan.Stop as error:
        sys.exit(str(error))
    if said:
        print(said)
    else:
        sys.stdout.flush()
        command = ["-m", "snakemake", "--cores", "all", "--configfile", str(args.sweep), *args.options]
        os.execv(sys.executable, [sys.executable, *command])


def _reference(args):
    from tcpsweep import reference

    engine.write_whole(args.page, reference.page())


def _cell(args):
    from tcpsweep import onecell, simulate

    try:
        onecell.run(args.id)
    except (onecell.Unknown, simulate.CellFailed) as error:
        sys.exit(str(error))


def _prune(args):
    from tcpsweep import prune, store

    if args.what not in ("unwanted", *prune.CLEANED):
        sys.exit(f"expected unwanted, {', '.join(prune.CLEANED)}, got {args.what!r}")
    try:
        prune.prune() if args.what == "unwanted" else prune.clean(args.what)
    except store.Busy as error:
        sys.exit(str(error))


def main():
    """Run the step that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tcpsweep", description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(metavar="STEP", required=True)

    def step(name, function, **arguments):
        sub = steps.add_parser(name, help=arguments.pop("help"))
        for argument, text in arguments.items():
            kind = Path if argument in ("plan", "folder", "page", "place", "sweep") else str
            sub.add_argument(argument, type=kind, help=text)
        sub.set_defaults(function=function)
        return sub

    folder = "the sweep's folder, results/sweeps/NAME"
    compiler = step(
        "compile", _compile, help="compile what is in ns3-scenarios/", program="dumbbell, variants/TcpWestwood, …"
    )
    compiler.add_argument("--prefix", metavar="DIR", help="where ns-3 is, unless in the Python environment")
    step("decoder", _decoder, help="compile the library that reads pcap files")
    cells = step("cells", _cells, help="simulate and parse the cells of a job", plan="the job's plan file")
    cells.add_argument("--memory", type=int, metavar="MB", help="what the job may take, on a cluster")
    cells.add_argument("--minutes", type=int, help="how long the job may take, on a cluster")
    cells.add_argument("--last-attempt", action="store_true", help="record what needs more than that as failed")
    cells.add_argument("--scratch", type=Path, metavar="DIR", help="where raw files are written that nobody keeps")
    step("aggregate", _aggregate, help="make a sweep's tables", folder=folder)
    step("figures", _figures, help="draw a sweep's figures", folder=folder)
    step("report", _report, help="write a sweep's report", folder=folder, page="the page to write")
    pages = step("pages", _pages, help="write a page for each cell", folder=folder, place="the folder to write them in")
    pages.add_argument("--workers", type=int, default=1, help="how many processes make them (1)")
    a_sweep = "a sweep: its name in results/sweeps, its folder, or its sweep file"
    comparison = step("compare", _compare, help="compare two sweeps", a=a_sweep, b="another, seen from the first")
    comparison.add_argument(
        "--fail", choices=["changed", "bytes"], help="fail if a difference is shown, or if a cell is not identical"
    )
    step(
        "finish",
        _finish,
        help="fail if a cell of the sweep failed or an expectation does not hold",
        folder=folder,
        page="its report",
        place="the folder of its cells' pages",
    )
    sweep = step("sweep", _sweep, help="run a sweep, or say that it is finished", sweep="the sweep file")
    sweep.add_argument("options", nargs=argparse.REMAINDER, help="options of snakemake")
    step("check", _check, help="say what is wrong with a sweep file", sweep="the file")
    step("reference", _reference, help="write the documentation's reference page", page="the page to write")
    step("cell", _cell, help="run one cell and show it", id="its id, or a part that only it has")
    step("remove", _prune, help="list and, asked, remove files", what="unwanted, results, build, reports or logs")
    args = parser.parse_args()
    try:
        args.function(args)
    except (engine.EngineError, BuildError, codeid.UnknownInclude, sweepfile.Mistakes) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")


if __name__ == "__main__":
    main()
