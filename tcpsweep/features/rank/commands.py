# SPDX-License-Identifier: MIT
"""The command line of rankings."""

import argparse
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import argument, run

_DEFAULT = "tcpsweep's own"


@run(
    "rank congestion controls that nobody has reviewed, in a sandbox: submissions, or machine-written candidates",
    argument("candidates", "C++ files, or folders of them", nargs="+", type=Path, metavar="CANDIDATE"),
    argument("--on", f"the sweep file with the training networks (default: {_DEFAULT})", type=Path, metavar="FILE"),
    argument("--hidden", "a sweep file with hidden networks, which answer few questions", type=Path, metavar="FILE"),
    argument("--baseline", "the variant to compare with (default: TcpCubic)", default="TcpCubic"),
    argument("--weights", f"the weights of the metrics (default: {_DEFAULT})", type=Path, metavar="FILE"),
    argument("--ask", "ask the hidden networks about the first N (default: 1)", type=int, default=1, metavar="N"),
    argument("--questions", "with the first question: how many there are (default: 20)", type=int, default=20),
    argument("--audit", "audit the first N (default: all that are left)", type=int, metavar="N"),
    argument("--race", "simulate clearly worse candidates in no more networks, to save time", action="store_true"),
    argument("--halve", "as --race, and let half of the candidates leave after each look", action="store_true"),
    argument("--cores", "the cores to use (default: all)", type=int),
    argument("--trust", "run candidates with your rights, without a sandbox", action="store_true"),
    examples=[
        "tcpsweep rank submissions/*.cc",
        "tcpsweep rank candidates --on training.yaml --hidden hidden.yaml --baseline TcpCubic",
    ],
)
def _rank(args: argparse.Namespace) -> None:
    from tcpsweep.core.words.aligned import in_lines
    from tcpsweep.features.rank import rank_interface, rank_page, rank_words

    ranking = rank_interface.ranked(
        args.candidates,
        on=args.on,
        hidden=args.hidden,
        baseline=args.baseline,
        weights=args.weights,
        ask=args.ask,
        questions=args.questions,
        audit=args.audit,
        race=args.race,
        halve=args.halve,
        cores=args.cores,
        trust=args.trust,
    )
    page = rank_page.write(ranking)
    say(in_lines(rank_words.for_terminal(ranking)))
    say(f"table: {ranking.request.folder / 'rank.csv'}\nreport: {page}")


COMMANDS = (_rank,)
