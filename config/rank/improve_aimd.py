# SPDX-License-Identifier: MIT
"""Improve AIMD's two constants by random mutation, judged by `tcpsweep.rank`: docs/features/rank.md.

Run it in a folder of its own: python improve_aimd.py hidden.yaml [ROUNDS] [CANDIDATES]. It writes curve.csv and
curve.svg.
"""

import random
import subprocess
import sys
from pathlib import Path

import altair as alt
import polars as pl

import tcpsweep

TEMPLATE = Path("TcpMine.cc")  # Reno with the attributes Increase and Beta


def written(name: str, increase: float, beta: float) -> Path:
    """The C++ file of a candidate: the template with other defaults, and with the candidate's name."""
    text = TEMPLATE.read_text().replace("TcpMine", name)
    text = text.replace("DoubleValue(1.0)", f"DoubleValue({increase})").replace(
        "DoubleValue(0.5)", f"DoubleValue({beta})"
    )
    file = Path("candidates") / f"{name}.cc"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def mutated(increase: float, beta: float) -> tuple[float, float]:
    """Other constants nearby."""
    return round(increase * random.lognormvariate(0, 0.4), 3), round(min(0.95, max(0.1, random.gauss(beta, 0.08))), 3)


def main(hidden: str, rounds: int = 10, candidates: int = 10) -> None:
    """Mutate the best constants so far, round by round."""
    random.seed(1)
    if not TEMPLATE.exists():
        subprocess.run([sys.executable, "-m", "tcpsweep", "new", str(TEMPLATE)], check=True)
    best, rows = (1.0, 0.5), []
    for number in range(rounds):
        constants = {f"TcpAimd{number}x0": best}
        constants |= {f"TcpAimd{number}x{each}": mutated(*best) for each in range(1, candidates)}
        files = [written(name, *values) for name, values in constants.items()]
        first = tcpsweep.rank(files, hidden=hidden, questions=rounds, audit=0).row(0, named=True)
        best = constants[first["candidate"]]
        print(f"round {number}: {best}, training {first['mean']:+.3f}, hidden {first['hidden']:+.3f}", flush=True)
        rows += [(number, kind, first[column]) for kind, column in (("training", "mean"), ("hidden", "hidden"))]
    curve = pl.DataFrame(rows, schema=["round", "networks", "score"], orient="row")
    curve.write_csv("curve.csv")
    alt.Chart(curve).mark_line(point=True).encode(x="round:Q", y="score:Q", color="networks:N").save("curve.svg")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
