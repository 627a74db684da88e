# SPDX-License-Identifier: MIT
"""Linux' TCP compared with ns-3's: which combinations are compared, and effects that were put into the data."""

import itertools

import polars as pl
import pytest

from tcpsweep.core.sweepfile.asked import smallest_effects
from tcpsweep.features.linux import stack_section as stacks_section
from tcpsweep.features.linux import stack_table
from tests.support import synthetic

VARIANTS = ("TcpCubic", "TcpCubic+TcpBbr")
PLACES = itertools.product(("10ms", "20ms"), VARIANTS, ("ns-3", "linux"))
ROWS = [{"variant": variant, "stack": stack, "delay": delay} for delay, variant, stack in PLACES]
RUNS = tuple(range(1, 15))
SWEEP = synthetic.record(
    baseline="TcpCubic",
    smallest_effects=smallest_effects.smallest_effects("5%"),
    runs=RUNS,
    axes={"variant": [*VARIANTS, "linux:bbr"], "stack": ["ns-3", "linux"], "delay": ["10ms", "20ms"]},
    combinations=[*ROWS, {"variant": "linux:bbr", "stack": "linux", "delay": "10ms"}],
)


@pytest.fixture(scope="module")
def table():
    """Goodput that differs between runs by 1 %: Linux' is the same at 10 ms, and a fifth more at 20 ms."""
    rows = []
    for number, row in enumerate(SWEEP.combinations):
        factor = 1.2 if (row["stack"], row["delay"]) == ("linux", "20ms") else 1.0
        for variant, run in itertools.product(row["variant"].split("+"), RUNS):
            value = 1e6 * (1 + 0.01 * ((run * 7 + number) % 3)) * factor
            rows.append((number, variant, "goodput_bps", run, f"{number}-{run}", value, True))
    return stack_table.table(SWEEP, synthetic.by_run(rows).lazy())


def test_each_variant_is_held_against_itself_in_the_same_network(table):
    pairs = {(row["combination"], row["reference_combination"]) for row in table.iter_rows(named=True)}
    assert pairs == {(1, 0), (3, 2), (5, 4), (7, 6)}  # linux:bbr has no counterpart to compare with
    of_mix = table.filter(pl.col("combination") == 3)
    assert (of_mix["variant"].to_list(), set(of_mix["mix"])) == (["TcpCubic", "TcpBbr"], {"TcpCubic+TcpBbr"})
    assert (table["variant"] == table["reference"]).all()


def test_what_was_put_there_is_found(table):
    found = table.group_by(pl.col("combination") > 3).agg("finding", "ratio").sort("combination")
    assert [set(each) for each in found["finding"]] == [{"same"}, {"higher"}]
    assert found["ratio"].list.mean().to_list() == pytest.approx([1, 1.2], rel=0.01)


def test_the_section_tells_it_for_each_metric_of_a_sweep_with_several_stacks(table):
    (goodput,) = stacks_section.compared_metrics(SWEEP, table)
    assert goodput.findings == "Equivalent in 3, more in 3 of 6"
    assert [row.whole for row in goodput.rows] == ["TcpCubic", VARIANTS[1], VARIANTS[1]] * 2
    assert goodput.rows[0].where == "delay 10ms"
    assert goodput.rows[-1].finding.startswith("higher, +20%")
    of_one_stack = synthetic.record(combinations=[{"variant": "TcpCubic", "delay": "10ms"}], runs=RUNS)
    assert stacks_section.compared_metrics(of_one_stack, stack_table.table(of_one_stack, pl.LazyFrame())) == []


def test_each_kernel_is_held_against_ns3s_tcp():
    kernels = ("linux-6.1", "linux-6.12")
    linux = [{"variant": "TcpCubic", "stack": "linux", "kernel": kernel} for kernel in kernels]
    ns3 = {"variant": "TcpCubic", "stack": "ns-3", "kernel": "newest"}
    compared = stack_table.pairs(synthetic.record(combinations=[ns3, *linux], runs=RUNS))
    assert set(compared.select("combination", "reference_combination").rows()) == {(1, 0), (2, 0)}
