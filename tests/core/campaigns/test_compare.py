# SPDX-License-Identifier: MIT
"""Comparing two sweeps: the matching of cells, the output for known numbers, and real sweeps."""

import itertools
import json
import random
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
import scipy.stats
import yaml

from tcpsweep.core.campaigns import comparison_page, comparison_picture, comparison_words, two_sweeps
from tcpsweep.core.command_line import for_people, main
from tcpsweep.core.statistics import significance
from tests.support import synthetic
from tests.support.chromium import opened, violations
from tests.support.finding_counts import counts
from tests.support.project import step

SWEEP = Path(__file__).parent.joinpath("sweeps", "compared.yaml").read_text()


def rates(row, run, shift=0.0):
    """Goodputs that differ from run to run, those at 4Mbps moved by ``shift``."""
    noise = random.Random(f"{row['variant']} {row['bandwidth']} {run}")
    moved = shift if row["bandwidth"] == "4Mbps" else 0
    return [noise.gauss(1e6, 1e4) + moved for _ in range(row["flows"])]


def made(name, shift=0.0, more=("one", "one"), noise=0):
    return synthetic.sweep(
        SWEEP.replace("sweep: one", f"sweep: {name}").replace(*more),
        lambda row, run: [rate + noise * run for rate in rates(row, run, shift)],
    )


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory):
    """A folder with the sweeps ``one`` and ``two``, which has another queue, and at 4Mbps more goodput."""
    folder = tmp_path_factory.mktemp("compared")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        made("one")
        shutil.copy("sweep.yaml", "one.yaml")
        made("two", shift=1e5, more=("warmup: 10s", "warmup: 10s, queue: 2bdp"), noise=50)
    return folder


@pytest.fixture
def pair(sweeps, monkeypatch):
    """Work next to both sweeps."""
    monkeypatch.chdir(sweeps)


def goodput(table):
    return table.filter(pl.col("metric") == "goodput_bps")


def runs_of(name):
    return goodput(pl.read_parquet(f"results/sweeps/{name}/runs.parquet"))


def test_welchs_test_of_students_sleep_data_is_what_is_published():
    # Student's data of 1908 as two samples; R's documentation of t.test: t = -1.8608, df = 17.776, p-value = 0.07939.
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    x, y = pl.col("x"), pl.col("y")
    error, degrees = significance.welch(x.std(), pl.len(), y.std(), pl.len())
    values = pl.DataFrame({"x": first, "y": second}).select(d=x.mean() - y.mean(), error=error, df=degrees)
    d, e, df = (values[name].to_numpy() for name in ("d", "error", "df"))
    assert (round(d[0] / e[0], 4), round(df[0], 3)) == (-1.8608, 17.776)
    assert round(significance.t_test_p(d, e, df)[0], 5) == 0.07939


@pytest.mark.usefixtures("pair")
def test_a_sweep_is_identical_to_itself():
    page, table, alike, cells = comparison_page.write("one", "results/sweeps/one")
    assert (alike, cells) == (56, 56)
    assert set(table["finding"]) == {"identical"}
    words = re.sub(r"\s+", " ", page.read_text())
    said = ("56 of 56 simulations are identical, byte for byte", "No setting differs", "No difference is shown in any")
    assert [each in words for each in said] == [True] * 3


@pytest.mark.usefixtures("pair")
def test_runs_of_the_same_seed_are_paired():
    _, table, alike, _ = comparison_page.write("one", "two")
    assert alike == 0
    found = goodput(table).filter(pl.col("bandwidth") == "4Mbps")
    assert set(found["finding"]) == {"higher"}
    row = found.row(0, named=True)

    def of(name, number):
        runs = runs_of(name).filter(combination=number, flow_variant=row["flow_variant"])
        return runs.sort("run")["value"].to_list()

    test = scipy.stats.ttest_rel(of("two", row["combination_b"]), of("one", row["combination_a"]))
    assert row["p"] == pytest.approx(test.pvalue)
    assert (row["low"], row["high"]) == pytest.approx(tuple(test.confidence_interval(0.95)))
    matched = two_sweeps.match(two_sweeps.read_side("one"), two_sweeps.read_side("two"))
    assert matched.differs == {"queue": ("1bdp", "2bdp")}


def test_runs_of_another_seed_are_two_samples(here):
    made("one")
    made("two", shift=2e4, more=("repetitions: 14", "repetitions: 13\nseed: 2"), noise=3000)
    _, table, _, _ = comparison_page.write("one", "two")
    a, b = (runs_of(name).filter(combination=1)["value"].to_numpy() for name in ("one", "two"))
    test = scipy.stats.ttest_ind(b, a, equal_var=False)
    row = goodput(table).filter(pl.col("combination_a") == 1).row(0, named=True)
    assert (row["p"], row["degrees"]) == pytest.approx((test.pvalue, test.df))
    assert (row["low"], row["high"]) == pytest.approx(tuple(test.confidence_interval(0.95)))
    assert row["correlation"] is None
    assert row["ratio"] == pytest.approx(b.mean() / a.mean())
    # Fieller's interval of independent samples: Welch's test of B against as many times A just shows a difference.
    for end in ("ratio_low", "ratio_high"):
        y = a * row[end]
        error = (b.var(ddof=1) / len(b) + y.var(ddof=1) / len(y)) ** 0.5
        assert abs(b.mean() - y.mean()) / error == pytest.approx(scipy.stats.t.ppf(0.975, row["degrees"]))


def test_combinations_are_matched_by_what_varies_and_the_rest_is_listed(here):
    made("one")
    made("two", more=("[2Mbps, 4Mbps]", "[4Mbps, 8Mbps]"))
    page, table, alike, cells = comparison_page.write("one", "two")
    assert set(table["bandwidth"]) == {"4Mbps"}
    assert (alike, cells) == (28, 28)
    text = page.read_text()
    assert "2 only in A, 2 only in B" in text
    assert all(f"<li>TcpCubic, bandwidth {rate}</li>" in text for rate in ("2Mbps", "8Mbps"))


@pytest.mark.long
def test_a_value_that_one_side_never_has_is_not_passed_over(here):
    made("one")
    # One of two flows has nine tenths, so that Jain's index over windows never settles.
    shutil.rmtree("results/cells")
    synthetic.sweep(SWEEP.replace("one", "two", 1), lambda row, run: [1.8e6 + run * 1e3, 2e5])
    _, table, _, _ = comparison_page.write("one", "two")
    assert set(table.filter(pl.col("metric") == "convergence_s")["finding"]) == {"no value"}


SENTENCES = yaml.safe_load(Path(__file__).with_name("changes.yaml").read_text())


@pytest.mark.parametrize("given", SENTENCES, ids=lambda given: given["says"])
def test_what_changed_in_words(given):
    sizes = {name: tuple(numbers) for name, numbers in given.get("sizes", {}).items()}
    row = counts(**sizes, **given.get("counts", {}))
    assert comparison_words.sentence({"identical": 0} | row) == given["says"]


def command(*arguments):
    """The exit status of the command, or its final message."""
    try:
        main.main(for_people.COMMANDS, ["compare", *arguments])
    except SystemExit as end:
        return end.code
    return 0


def test_bad_input_is_one_message_and_writes_nothing(here):
    made("one")
    made("two", more=("[2Mbps, 4Mbps]", "[8Mbps]"))
    assert "results/sweeps has one, two; did you mean 'two'?" in command("one", "twoo")
    assert command("one", "two") == ("one and two have no combination in common: bandwidth is 2Mbps, 4Mbps and 8Mbps")
    folder = made("three")
    sweep = json.loads((folder / "sweep.json").read_text())
    (folder / "sweep.json").write_text(json.dumps(sweep | {"metrics_code": "older"}))
    assert "different versions of the metrics" in command("one", "three")
    (folder / "sweep.json").write_text(json.dumps(sweep))
    covered = json.loads((folder / "covered.json").read_text())
    (folder / "covered.json").write_text(json.dumps(covered[1:]))
    assert command("one", "three") == "three: not finished: 1 of 56 runs are not in its tables"
    (folder / "covered.json").unlink()
    assert "run the sweep again" in command("one", "three")
    assert not Path("reports").exists()
    assert not Path("results/comparisons").exists()


@pytest.mark.usefixtures("pair")
def test_the_command_fails_on_changes_only_where_it_is_asked_to(capsys):
    assert command("one.yaml", "two") == 0
    assert "Goodput per flow: higher in" in capsys.readouterr().out
    assert "differences are shown" in command("one", "two", "--fail", "changed")
    assert command("one", "two", "--fail", "bytes") == "56 of 56 simulations are not identical"
    assert command("one", "one", "--fail", "bytes") == 0


@pytest.mark.browser
def test_the_page_fits_its_window_shows_what_changed_and_axe_finds_nothing(pair, browser):
    page, *_ = comparison_page.write("one", "two")
    for width, scheme in itertools.product((400, 1440), ("light", "dark")):
        with opened(browser, page, width=width, scheme=scheme) as tab:
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            assert tab.locator(".changes tbody tr").count() >= 1
            dots = tab.locator("#goodput_bps .dot")
            assert dots.count() == 6  # a case for each: two homogeneous variants and two in a mix, in two networks
            assert violations(tab) == [], (width, scheme)


# Small windows, so that there are five congestion epochs in some seconds.
STEADY = Path(__file__).parent.joinpath("sweeps", "steady.yaml").read_text()


@pytest.mark.long
def test_real_sweeps_of_another_folder_and_another_queue(copy_of_finished, finished):
    def compared(*arguments):
        done = step(copy_of_finished, "compare", *map(str, arguments))
        assert "Traceback" not in done.stderr, done.stderr
        return done

    elsewhere = compared("small", finished / "results" / "sweeps" / "small", "--fail", "bytes")
    assert elsewhere.returncode == 0, elsewhere.stderr
    assert "8 of 8 simulations are identical, byte for byte" in elsewhere.stdout
    assert (copy_of_finished / "reports" / "compare-small-small.html").is_file()
    for name, queue in (("before", "5p"), ("after", "20p")):
        sweep = STEADY.replace("NAME", name).replace("QUEUE", queue)
        ran = copy_of_finished.run(copy_of_finished.tables(name), sweep=sweep, name=f"{name}.yaml")
        assert ran.status == 0, ran.text
    changed = compared("before", "after.yaml", "--fail", "changed")
    assert changed.returncode == 1
    assert "differences are shown" in changed.stderr
    # A longer queue that is filled delays more.
    assert "Mean one-way delay: higher in 1 of 1 case" in changed.stdout
    assert "0 of 10 simulations are identical, byte for byte" in changed.stdout
    page = (copy_of_finished / "reports" / "compare-before-after.html").read_text()
    assert "queue: 5p in A, 20p in B" in page


def test_large_changes_are_said_in_percent_without_an_exponent():
    row = {"metric": "owd_mean_s", "variant": "", "flow_variant": "TcpBbr", "difference": 1.24, "mean_a": 0.1}
    row |= {"mean_b": 1.34, "effect": 12.4, "finding": "too few runs", "smallest_share": 0.02}
    row |= dict.fromkeys(("holm_low", "holm_high", "link", "p")) | {
        "smallest_value": 0.0,
        "smallest_origin": 0.0,
        "low": 1.2,
        "high": 1.3,
    }
    (picture,) = comparison_picture.pictures(pl.DataFrame([row]), [])
    (seen,) = picture["seen"]
    assert (seen["a"], seen["b"], seen["effect"], seen["finding"]) == ("100", "1340", "+1240 %", "inconclusive")


def test_rows_of_several_links_are_told_apart_by_their_link():
    rows = [
        {"metric": "utilisation", "variant": "TcpBbr", "flow_variant": None, "link": link, "delay": "5ms", "p": 0.01}
        | {"mean_a": 0.5, "mean_b": mean, "difference": mean - 0.5, "effect": 2 * mean - 1, "finding": "higher"}
        | {"holm_low": 0.1, "holm_high": 0.4, "low": 0.1, "high": 0.4, "beyond_holm": 0.01}
        | {"smallest_share": 0.05, "smallest_value": 0.0, "smallest_origin": 0.0}
        for link, mean in (("uplink", 0.7), ("radio back", 0.8))
    ]
    (picture,) = comparison_picture.pictures(pl.DataFrame(rows), ["delay"])
    cases = [f"TcpBbr, delay 5ms, link {link}" for link in ("radio back", "uplink")]
    assert sorted(row["case"] for row in picture["seen"]) == cases
    shown = [comparison_page.shown_row(row, ["delay"]) for row in rows]
    assert [(row["case"], row["link"]) for row in shown] == [("TcpBbr, delay 5ms", row["link"]) for row in rows]
