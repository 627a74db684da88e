# SPDX-License-Identifier: MIT
"""A published study in a sweep file: its content, the judgement of its numbers and claims, messages on mistakes."""

import math
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.studies import claim_findings, printed_numbers, reproduction, study_key, study_record

TEXTS = yaml.safe_load(Path(__file__).with_name("texts.yaml").read_text())
SWEEP, STUDY, NUMBERS, CLAIMS, ALONG = (TEXTS[name] for name in ("sweep", "study", "numbers", "claims", "along"))


def read(tmp_path, study=STUDY, numbers=NUMBERS, sweep=SWEEP):
    """The document, the sweep, and all messages about it."""
    (tmp_path / "numbers.csv").write_text(numbers)
    document = yaml_document.parse(sweep + study, str(tmp_path / "s.yaml"))
    problems, found = schema_check.problems(document.data), None
    if not problems:
        found, problems = grid.expand(SweepFile(document.data))
    if not problems:
        found, problems = study_key.asked_of_combinations(SweepFile(document.data, tmp_path), found)
    return document, found, str(document.mistakes(problems)).splitlines() if problems else []


def table(tmp_path, **changes):
    """The sweep's table as later steps see it."""
    _, sweep, told = read(tmp_path, **changes)
    assert told == []
    return sweep


def measures(values, metric="goodput_bps"):
    """The measures of one flow of each variant: (combination, run, variant) to value."""
    rows = [
        (number, run, f"{number}-{run}", flow, "forward", variant, metric, float(value))
        for (number, run, variant), found in values.items()
        for flow, value in enumerate(found if isinstance(found, list) else [found])
    ]
    columns = ["combination", "run", "digest", "flow", "direction", "variant", "metric", "value"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def test_each_published_combination_is_simulated_once_more_in_the_studys_setting(tmp_path):
    _, sweep, _ = read(tmp_path)
    assert (sweep.swept, len(sweep.combinations)) == (6, 9)
    added = sweep.combinations[sweep.published.first :]
    assert [row["delay"] for row in added] == ["10ms", "20ms", "40ms"]
    assert {(row["start_jitter"], row["segment_size"], row["flows"]) for row in added} == {("0s", 1000, 2)}
    made = cell_commands.cells(sweep, "code", Engine(tmp_path, "3.44", "libraries"), dict)
    assert [cell.run for cell in made if cell.combination >= 6] == [7, 7, 7]
    assert len(made) == 6 * 3 + 3
    assert sweep.counted() == "6 combinations and 3 as published"


def test_a_printed_number_stands_beside_the_published_run_and_the_range_of_the_sweeps_runs(tmp_path):
    sweep = table(tmp_path)
    values = {(0, run, "TcpNewReno"): value for run, value in ((1, 90e3), (2, 100e3), (3, 110e3))}
    values |= {(6, 7, "TcpNewReno"): 95e3, (0, 1, "TcpVegas"): 1.7e6}
    first, second, _, vegas, _ = reproduction.numbers(sweep, measures(values)).rows(named=True)
    assert (first["printed"], first["at_setting"], first["ratio"]) == (100e3, 95e3, 0.95)
    assert (first["mean"], first["least"], first["greatest"], first["inside"]) == (100e3, 90e3, 110e3, True)
    # Student's t at two degrees of freedom is 4.302653, the standard deviation 10 kbit/s.
    assert first["high"] - first["mean"] == pytest.approx(4.302653 * 10e3 / math.sqrt(3), rel=1e-6)
    assert (second["mean"], second["ratio"], second["inside"]) == (None, None, None)
    assert (vegas["printed"], vegas["ratio"]) == (1.6e6, 1.7 / 1.6)


def test_segments_are_of_the_sweeps_size_and_a_sum_is_over_the_variants_flows(tmp_path):
    sweep = table(tmp_path)
    found = measures({(1, 1, "TcpVegas"): [1448, 2896]}, metric="acked_bytes")
    row = reproduction.numbers(sweep, found).row(4, named=True)
    assert (row["printed"], row["mean"], row["ratio"]) == (3 * 1448, 3 * 1448, 1)


def test_the_order_along_an_axis_and_the_winner_are_compared(tmp_path):
    sweep = table(tmp_path)
    values = {(6, 7, "TcpNewReno"): 95e3, (7, 7, "TcpNewReno"): 96e3, (8, 7, "TcpNewReno"): 70e3}
    numbers = reproduction.numbers(sweep, measures(values | {(6, 7, "TcpVegas"): 50e3}))
    (row,) = reproduction.ranks(sweep, numbers).rows(named=True)
    assert (row["axis"], row["flow_variant"], row["points"]) == ("delay", "TcpNewReno", 3)
    # Ranks 3 2 1 as printed, 2 3 1 here: rho = 1 - 6 * 2 / (3 * 8), tau = (2 - 1) / 3.
    assert row["printed_rises"] == pytest.approx(-1)
    assert row["spearman"] == pytest.approx(0.5)
    assert row["kendall"] == pytest.approx(1 / 3)
    (winner,) = reproduction.winners(sweep, numbers).rows(named=True)
    assert (winner["printed"], winner["measured"], winner["same"]) == ("TcpVegas", "TcpNewReno", False)
    assert reproduction.winners(sweep, numbers.with_columns(metric=pl.lit("received_ip_bytes"))).is_empty()


def test_a_claim_that_something_hardly_changes_or_is_out_of_line(tmp_path):
    sweep = table(tmp_path, sweep=SWEEP.replace("40ms]", "40ms, 80ms]"), study=STUDY + ALONG)
    own = list(enumerate(sweep.combinations[: sweep.swept]))
    places = {row["delay"]: number for number, row in own if row["flows"] == 2}
    of_runs = {"10ms": (1.0, 1.0, 1.0), "20ms": (1.1, 1.1, 1.1), "40ms": (1.3, 1.3, 1.3), "80ms": (1.05, 1.06, 1.07)}
    values = {(places[delay], run, None): x for delay, xs in of_runs.items() for run, x in enumerate(xs, 1)}
    for delay in ("20ms", "40ms"):
        place = next(number for number, row in own if (row["delay"], row["flows"]) == (delay, 4))
        values |= {(place, run, None): float(delay[0]) for run in (1, 2, 3)}
    of_network = measures(values, metric="jain").with_columns(flow=None)
    level, outlier, together = claim_findings.judged(sweep, of_network).rows(named=True)
    # From 1 to 1.3, over means of 1.1125, 1.115 and 1.1175.
    assert (level["effect"], level["finding"]) == ("span", "reversed")
    assert level["mean"] == pytest.approx((0.3 / 1.1125 + 0.3 / 1.115 + 0.3 / 1.1175) / 3)
    # The line through (10, 1), (20, 1.1) and (40, 1.3), whose mean is 3.4 / 3, is at 1.7 for 80.
    assert (outlier["effect"], outlier["finding"]) == ("distance from the line", "held")
    assert outlier["mean"] == pytest.approx((1.06 - 1.7) / (3.4 / 3))
    assert (together["mean"], together["finding"]) == (1, "held")


def test_claims_are_judged_by_the_interval_of_paired_runs(tmp_path):
    sweep = table(tmp_path, study=STUDY + CLAIMS)
    # Combinations 0, 2 and 4 have two flows at 10, 20 and 40 ms.
    goodput = {0: (30, 41, 52), 2: (20, 30, 40), 4: (10, 9, 11)}
    values = {(number, run, "TcpNewReno"): x for number, xs in goodput.items() for run, x in enumerate(xs, 1)}
    values |= {(0, run, "TcpVegas"): 20 for run in (1, 2, 3)}
    falls, more, than = claim_findings.judged(sweep, measures(values)).rows(named=True)
    assert (falls["effect"], falls["mean"], falls["finding"]) == ("rank correlation", -1, "held")
    # Differences 10, 11 and 12.
    assert (more["effect"], more["mean"], more["runs"], more["finding"]) == ("difference", 11, 3, "held")
    assert more["high"] == pytest.approx(11 + 4.302653 / math.sqrt(3), rel=1e-6)
    # Differences -10, -21 and -32: the interval reaches above zero.
    assert (than["mean"], than["finding"]) == (-21, "not shown")
    assert claim_findings.judged(sweep, measures({}))["finding"].to_list() == ["no value"] * 3


@pytest.mark.parametrize(("old", "new", "words"), TEXTS["mistakes in numbers"])
def test_a_mistake_among_the_numbers_is_told_with_its_file_and_line(tmp_path, old, new, words):
    assert old in NUMBERS
    told = read(tmp_path, numbers=NUMBERS.replace(old, new, 1))[2]
    assert words in "\n".join(told)
    assert all(line.startswith(f"{tmp_path / 's.yaml'}:7:12: published.numbers: ") for line in told), told


def test_numbers_of_other_networks_are_passed_over_where_the_file_says_so(tmp_path):
    numbers = NUMBERS.replace("40ms", "80ms")
    sweep = table(tmp_path, study=STUDY + "  part: true\n", numbers=numbers)
    assert len(study_record.of(sweep).numbers) == 4


def test_a_file_of_numbers_that_is_missing_or_holds_none_is_named(tmp_path):
    (told,) = read(tmp_path, numbers="# nothing\n")[2]
    assert told.startswith(f"{tmp_path / 's.yaml'}:7:12: published.numbers: ") and "holds no numbers" in told
    (told,) = read(tmp_path, study=STUDY.replace("numbers.csv", "none.csv"))[2]
    said = f"published.numbers: {tmp_path / 'none.csv'} cannot be read: No such file or directory"
    assert told == f"{tmp_path / 's.yaml'}:7:12: {said}"


@pytest.mark.parametrize(("old", "new", "words"), TEXTS["mistakes in claims"])
def test_a_mistake_in_a_claim_is_told_with_its_place(tmp_path, old, new, words):
    assert old in CLAIMS
    told = read(tmp_path, study=STUDY + CLAIMS.replace(old, new, 1))[2]
    assert len(told) == 1
    assert "published.claims[" in told[0] and words in told[0], told


def test_a_condition_and_a_setting_are_held_to_the_sweep_with_and_without_numbers(tmp_path):
    for study in (STUDY, STUDY.replace("  numbers: numbers.csv\n", "")):
        assert read(tmp_path, study=study)[2] == []
        (told,) = read(tmp_path, study=study.replace("{flows: 2}", "{flows: 3}"))[2]
        assert told.endswith(": published.where: no combination of the sweep meets this condition")
        told = read(tmp_path, study=study.replace("segment_size: 1000", "delay: 7ms"))[2]
        assert "published.setting.delay: delay distinguishes the sweep's combinations" in told[0]
    told = read(tmp_path, study=STUDY.replace("segment_size: 1000", "segment_size: 1500"))[2]
    assert "exceed the MTU" in told[0]


def test_a_file_of_numbers_that_is_endless_or_too_large_is_refused_unread(tmp_path):
    told = read(tmp_path, study=STUDY.replace("numbers.csv", "/dev/zero"))[2]
    assert "/dev/zero: this is a device or a pipe" in told[0]
    head, line = NUMBERS.splitlines(keepends=True)[1:3]
    told = read(tmp_path, numbers=head + "#" * printed_numbers.MOST_NUMBERS_BYTES)[2]
    assert "10 MB; expected a study's numbers of at most 10 MB" in told[0]
    sweep = SWEEP.replace("[10ms, 20ms, 40ms]", f"[{', '.join(f'{delay}us' for delay in range(1, 1001))}]")
    told = read(tmp_path, sweep=sweep, numbers=head + line * 20_000)[2]
    assert "20,000 lines for each of 2,000 combinations are 40,000,000 comparisons; the limit is 20,000,000" in told[0]
    told = read(tmp_path, numbers=head + f"{'1' * 3000},2,,,,1,\n")[2]
    assert "numbers.csv:2: expected fields of at most 2,000 characters, got 3,000" in told[0]


def test_a_spreadsheets_file_reads_alike(tmp_path):
    plain = study_record.of(table(tmp_path))
    numbers = "\ufeff" + NUMBERS.replace("# A comment.\n", "").replace("100", '"100"').replace("\n", "\r\n")
    found = study_record.of(table(tmp_path, numbers=numbers)).numbers
    assert [replace(row, line=0) for row in found] == [replace(row, line=0) for row in plain.numbers]


def test_equal_values_share_the_first_place(tmp_path):
    numbers = NUMBERS.replace("200,kB/s", "100,kbit/s")
    sweep = table(tmp_path, numbers=numbers)
    values = {(6, 7, "TcpNewReno"): 95e3, (6, 7, "TcpVegas"): 50e3}
    (winner,) = reproduction.winners(sweep, reproduction.numbers(sweep, measures(values))).rows(named=True)
    assert (winner["printed"], winner["same"]) == ("TcpNewReno, TcpVegas", True)
