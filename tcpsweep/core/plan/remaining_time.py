# SPDX-License-Identifier: MIT
"""The time that a plan's work still takes: programs to compile, cells, then tables, figures and report."""

from dataclasses import dataclass

from tcpsweep.core.ns3 import programs
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import step_costs
from tcpsweep.core.plan.other_programs import Reading
from tcpsweep.core.plan.plan_record import Plan, Workers
from tcpsweep.core.store import compiled_programs


@dataclass(frozen=True)
class RemainingTime:
    """Expected times, in s."""

    cores: int  # that cells keep busy
    slower: float  # the time that a CPU second takes, because of other programs
    compiling_s: float
    cells_s: float
    after_s: float
    steps_s: dict[str, float]  # of each rule after the cells

    @property
    def total_s(self) -> float:
        """The time until the report."""
        return self.compiling_s + self.cells_s + self.after_s


def remaining_time(plan: Plan, ns3: Engine, workers: Workers, others: Reading, figure_count: int) -> RemainingTime:
    """The time of a plan with batches. ``figure_count`` is the number of figures in the sweep file."""
    jobs = sum(map(len, plan.jobs.values()))
    cores = min(workers.slots, sum(map(len, plan.work.values())) or 1)
    if workers.on_cluster:
        cores = min(cores, workers.batch_cores * jobs or 1)
    slower = 1.0 if workers.on_cluster else others.slow_down(cores)
    of_compile = [plan.source(name) for step, name in plan.compiles if step == "compile"]
    files = {file for source in of_compile for file in programs.missing(ns3, source)} | {*plan.compiles.values()}
    steps_s = step_costs.estimate(plan.sweep, plan.simulations, figure_count, workers.rule_cores)
    return RemainingTime(
        cores=cores,
        slower=slower,
        compiling_s=slower * sum(map(compiled_programs.expected_seconds, files)),
        cells_s=slower * (sum(plan.seconds.values()) + step_costs.JOB_S * jobs) / cores,
        after_s=slower * step_costs.together_s(steps_s, plan.simulations, workers.rule_cores),
        steps_s={step: slower * seconds for step, seconds in steps_s.items()},
    )
