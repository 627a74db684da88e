# SPDX-License-Identifier: MIT
"""`make torture`: 100 faults in at most 30 minutes, and a table of their costs. It fails if a result is lost."""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tcpsweep.core.ns3 import engine, programs
from tcpsweep.core.parse import packet_decoder
from tests.support.tools import ROOT
from tests.torture import faults
from tests.torture.place import Place, can_be_refused, small_disk
from tests.torture.torture import SWEEP, table, torture

DISK_MB = 400
CLUSTER = ROOT / "tests" / "support" / "cluster.sh"
ON_SLURM = ["--workflow-profile", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "1"]


def arguments():
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument(
        "--seed", type=int, help="the same faults in the same order; their times differ between machines"
    )
    parser.add_argument("--only", action="append", metavar="FAULT", help=f"of {', '.join(faults.HERE)}")
    parser.add_argument("--cells", type=int, default=80, help="number of cells, a multiple of 16 (default: 80)")
    parser.add_argument("--seconds", type=int, default=20, help="simulated seconds of a cell (default: 20)")
    parser.add_argument(
        "--slurm", action="store_true", help="run on a SLURM with one node, which is started for this (as root)"
    )
    return parser.parse_args()


def main():
    asked = arguments()
    seed = random.randrange(10**6) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    sweep = SWEEP.format(repetitions=max(1, asked.cells // 16), seconds=asked.seconds)
    ns3 = engine.find()
    compiled = {name: programs.compile_program(ns3, name).resolve() for name in ("dumbbell", "inspect")}
    compiled["packets"] = packet_decoder.library().resolve()
    with tempfile.TemporaryDirectory(prefix="tcpsweep-torture-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)

        def cluster(command, *name):
            return subprocess.run([CLUSTER, command, root / "slurm", *name], check=False).returncode

        if asked.slurm and cluster("start"):
            sys.exit("SLURM does not start")
        try:
            with small_disk(root / "disk", DISK_MB) as is_small:
                kinds = faults.on_slurm(cluster) if asked.slurm else dict(faults.HERE)
                if not is_small and kinds.pop("full disk", None):
                    print("no full disk: only root can mount one")
                if not can_be_refused() and kinds.pop("read-only folder", None):
                    print("no read-only folder: setpriv, of util-linux, is not installed")
                kinds = {name: kinds[name] for name in asked.only} if asked.only else kinds
                options = ON_SLURM if asked.slurm else []

                def new_place():
                    place = Place(root, root / "disk", compiled, sweep, options)
                    if asked.slurm:
                        job_files = place.folder / "tcpsweep" / "core" / "plan" / "job_files.py"
                        text = job_files.read_text()
                        assert "CLUSTER_SECONDS = (120, 900)" in text
                        job_files.write_text(text.replace("CLUSTER_SECONDS = (120, 900)", "CLUSTER_SECONDS = (1, 2)"))
                    return place

                found = torture(new_place, kinds, asked.faults, 60 * asked.minutes, seed)
        finally:
            if asked.slurm:
                cluster("stop")
    print(f"\n{table(found, kinds)}\n\n{found.rounds} sweeps to their end, seed {seed}")
    print("\n".join(found.wrong) or "all results are those of an undisturbed run, and nothing is left")
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
