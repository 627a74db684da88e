# SPDX-License-Identifier: MIT
"""The requirements of the Snakemake workflow catalog for a repository.

The rules are in ``scripts/generate-catalog.py`` in snakemake/snakemake-workflow-catalog (2025). The folder of the
workflow is ``workflow``, or the root if there is no such folder. It must have a ``Snakefile``, and, if it has a folder
``rules``, a file ``*.smk`` in it. *Standardized usage* requires a mapping in ``.snakemake-workflow-catalog.yml`` and a
``config/README.md``. The catalog's page also names ``workflow/Snakefile``, which no tool requires.

Whether ``snakefmt`` and ``snakemake --lint`` find nothing is shown there, and asked of nobody; `make lint` has both,
the second without its demand for a conda environment or container in each rule.
"""

import re

import yaml

from tcpsweep.core.plan import checked_sweep
from tests.support.tools import ROOT


def test_the_repository_is_found_as_a_workflow():
    told = (ROOT / "README.md").read_text().lower()
    assert "snakemake" in told
    assert "workflow" in told
    workflow = ROOT / "workflow" if (ROOT / "workflow").exists() else ROOT
    assert (workflow / "Snakefile").is_file()
    assert list((workflow / "rules").glob("*.smk"))


def test_its_usage_is_standardized():
    settings = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())
    assert settings.keys() == {"usage"}
    usage = settings["usage"]
    assert usage.keys() == {"mandatory-flags", "software-stack-deployment", "report"}
    assert usage["mandatory-flags"].keys() == {"desc", "flags"}
    ways = usage["software-stack-deployment"]
    assert set(ways) == {"conda", "apptainer", "apptainer+conda"}
    assert all(isinstance(value, bool) for value in [*ways.values(), usage["report"]])
    # Snakemake would make the environments that rules name, and none does.
    named = re.compile(r"^\s+(conda|container):", re.MULTILINE)
    assert any(ways.values()) == any(named.search(file.read_text()) for file in ROOT.glob("rules/*.smk"))
    marked = re.compile(r"\breport\(\n")
    assert usage["report"] == any(marked.search(file.read_text()) for file in ROOT.glob("rules/*.smk"))


def test_the_sweep_file_in_the_instructions_is_right(tmp_path):
    (example,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "config" / "README.md").read_text(), re.DOTALL)
    (tmp_path / "my-sweep.yaml").write_text(example)
    _, sweep, _ = checked_sweep.read(tmp_path / "my-sweep.yaml")
    assert len(sweep.combinations) * len(sweep.runs) == 3 * 2 * 2 * 10
