# SPDX-License-Identifier: MIT
"""Words that users type: the field's names, units and shares, and the nearest names."""

import re
import subprocess
import sys

import pytest

from tcpsweep.core.ns3 import catalogue, engine
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.document import file_names, yaml_document
from tcpsweep.core.sweepfile.keys import schema, suggestions
from tcpsweep.core.words import (
    field_names,
    metric_names,
    metrics,
    normal_forms,
    not_for,
    quantity_forms,
    spelling,
    units,
)
from tcpsweep.features.expectations.expectation import expectations_of
from tests.support.sweep_texts import document_of, mistakes
from tests.support.tools import ROOT


def test_every_name_of_the_field_is_one_that_ns3_has():
    types = catalogue.types(engine.find())
    kinds = [ns3_check.KINDS[kind][0] for kind in ("variant", "queue-disc")]
    known = {name.removeprefix("ns3::") for kind in kinds for name in catalogue.descendants(types, kind)}
    lacking = {*field_names.VARIANTS.values(), *field_names.DISCS.values()} - known
    assert lacking == {"DualPi2QueueDisc", "TcpPrague", "TcpWestwood"}  # ours, in ns3-scenarios/variants
    assert all(name.islower() for name in field_names.VARIANTS | field_names.DISCS)


def test_expectations_and_the_baseline_take_names_shares_and_sizes_as_the_sections_do():
    text = "grid: {variant: [cubic, bbr], bytes: [200kB, 1MB]}\nbaseline: bbr\n"
    text += "expect: goodput_bps of bbr >= 0 where loss < 1% and bytes == 200kB"
    sweep, problems = checked_sweep.expanded(document_of(text))
    assert problems == []
    (expected,) = expectations_of(sweep)
    assert sweep.baseline == expected.variant == "TcpBbr"
    assert [condition.value for condition in expected.where] == [0.01, 200_000]


def test_an_unknown_scenario_points_to_pages_that_are_there():
    (told,) = mistakes("", "internet")
    for page in ("docs/scenarios.md", "docs/not-for.md"):
        assert page in told
        assert (ROOT / page).is_file()
    assert (ROOT / not_for.PAGE).is_file()
    assert "## Add a scenario" in (ROOT / "docs/scenarios.md").read_text()


def test_shares_are_exact():
    assert [quantity_forms.share(text) for text in ("1%", "0.1%", "100%", "1e-3", 1.0, 0)] == [
        *(0.01, 0.001, 1, 0.001, 1, 0)
    ]


def test_a_file_that_is_not_there_is_answered_with_the_nearest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert file_names.nearest_sweep_file("any.yaml") == ""
    (tmp_path / "my-sweep.yaml").write_text("sweep: my-sweep\n")
    (tmp_path / ".other.yaml").write_text("sweep: hidden\n")
    (tmp_path / "others.yaml").write_text("a: 1\n")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "lossy-link.yaml").write_text("sweep: lossy-link\n")
    assert file_names.nearest_sweep_file("mysweep.yml") == "; did you mean my-sweep.yaml?"
    assert file_names.nearest_sweep_file("config/losy-link.yaml") == "; did you mean config/lossy-link.yaml?"
    assert file_names.nearest_sweep_file("zzz.yaml") == "; sweep files there are my-sweep.yaml, config/lossy-link.yaml"
    with pytest.raises(yaml_document.Mistakes, match=r"did you mean my-sweep\.yaml\?"):
        yaml_document.read("my-swep.yaml")


def test_a_mistake_is_told_without_waiting_for_a_program_that_asks_ns3(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "empty"))
    (tmp_path / "my.yaml").write_text("sweep: s\nscenario: dumbbell\nfixed: {flows: none, variant: TcpCubik}")
    with pytest.raises(yaml_document.Mistakes) as caught:
        checked_sweep.read(tmp_path / "my.yaml", ask_ns3=True)
    assert "fixed.flows" in str(caught.value)
    assert not list((tmp_path / "empty").glob("*/inspect*"))


def test_the_check_without_ns3_needs_what_the_setup_installs_first():
    listed = next(line for line in (ROOT / "envs/setup.sh").read_text().splitlines() if line.startswith("READS="))
    wanted = set(listed.partition("'")[2].rstrip("'").split("|"))
    code = (
        "import importlib.metadata as m, sys\nfrom tcpsweep.__main__ import run\n"
        "run(['check', '--without-ns3', 'config/config.yaml'])\n"
        "owners = m.packages_distributions()\n"
        "print({owner.lower().replace('_', '-') for name in sys.modules for owner in owners.get(name, [])})"
    )
    command = [sys.executable, "-S", "-c", f"import site; site.main()\n{code}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = eval(done.stdout) - {"tcpsweep", "setuptools", "idna"}  # idna: a format's, where it is installed
    assert loaded <= wanted


def test_every_metric_that_is_suggested_is_one():
    meant = {metric_names.did_you_mean(name, metrics.METRICS) for name in metric_names._METRIC_BY_OTHER_NAME}
    assert all(words.split("'")[1] in metrics.averaged() for words in meant)


def test_a_name_is_suggested_only_where_it_is_near():
    variants = ["TcpLp", "TcpCubic", "TcpVegas", "TcpHtcp"]
    assert ns3_check._nearest_type("mptcp", variants) == ""
    assert ns3_check._nearest_type("TcpFoo", variants) == ""
    assert ns3_check._nearest_type("TcpCubik", variants) == "; did you mean 'TcpCubic'?"
    assert ns3_check._nearest_type("tcpcubic", variants) == "; did you mean 'TcpCubic'?"
    assert spelling.did_you_mean("cwnd", ["cwnd_bytes", "rtt_s"]) == "; did you mean 'cwnd_bytes'?"
    assert spelling.did_you_mean("ndwidth", ["bandwidth"]) == "; did you mean 'bandwidth'?"


def test_why_a_variant_cannot_be_used_is_said_once(monkeypatch):
    broken = ({}, [], {"TcpMine": "TcpMine.cc: error"})
    monkeypatch.setattr(ns3_check, "_usable_types", lambda *_: broken)
    monkeypatch.setattr(ns3_check.variants, "names", lambda: {"TcpMine"})
    monkeypatch.setattr(ns3_check.variants, "mentioned", lambda named: {"TcpMine"} if "Mine" in str(named) else set())
    text = "grid: {variant: [TcpMine, TcpMine+TcpMine, TcpMine]}"
    found = ns3_check.problems(document_of(text).data, engine.find())
    assert [problem.message for problem in found] == ["TcpMine.cc: error"]


@pytest.mark.parametrize("scenario", schema.scenarios())
@pytest.mark.parametrize("written", [1, 20, 500])
def test_every_suggestion_is_a_value_of_a_usual_size(scenario, written):
    """A time of a run is in seconds, a path's below 1 s, and a link's rate in Mbit/s."""
    for name, about in schema.parameters(scenario).items():
        try:
            normal_forms.normal(written, about.get("format"))
        except quantity_forms.NoQuantity as error:
            said = error.said(schema.usual(about))
            if about["unit"] not in ("s", "bit/s"):
                continue
            unit = units.split(said.rpartition("'")[0].rpartition("'")[2])[1]
            paths = "delay" in name or name == "start_jitter"
            assert unit == ("Mbps" if about["unit"] == "bit/s" else "ms" if paths else "s"), (name, said)
        except ValueError:
            pass


def test_a_random_variable_has_no_text_to_compare():
    initial = "ns3::TcpSocket::InitialCwnd"
    settings = [("ns3::OnOffApplication::OnTime", "ns3::ConstantRandomVariable[Constant=1]")]
    settings += [(initial, "010"), (initial, "x")]
    assert catalogue.try_attributes(engine.find(), settings) == [(True, None), (True, "10"), (False, None)]


def test_every_attribute_that_a_hint_names_is_one_that_ns3_has():
    types = catalogue.types(engine.find())
    for meant in suggestions.MEANT.values():
        for owner, attribute in re.findall(r'"(ns3::\w+)::(\w+)"', meant):
            assert attribute in types[owner]["attributes"]
