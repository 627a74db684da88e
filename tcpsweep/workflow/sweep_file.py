# SPDX-License-Identifier: MIT
"""The sweep file that Snakemake is given, and whether the rules are those of this package."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpsweep.identity import source_folders
from tcpsweep.workflow.snakemake_api import ON_CLUSTER
from tcpsweep.workflow.stop import stop

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

SWEEP_FILE = "sweep_file"  # the key by which another workflow names it
SET_UP = "clone tcpsweep, run `make setup` there, and take the snakemake in that clone's .venv/bin"


def check_package(workflow: Workflow) -> None:
    """Refuse rules that are not those of this package; a module may take rules from anywhere."""
    if not Path(sys.executable).with_name("tcpsweep").is_file():
        stop(f"tcpsweep: {sys.executable} has no command tcpsweep beside it: {SET_UP}")
    root, rules_root = source_folders.ROOT, workflow.current_basedir.join("..")
    if rules_root.is_local:
        if root != (folder := Path(rules_root.get_path_or_uri(secret_free=True)).resolve()):
            stop(
                f"tcpsweep: this Python has the package of {root}, not that of {folder}; "
                "run `make setup` there, and take its .venv/bin/snakemake"
            )
        return
    for file in [root / "Snakefile", *sorted(root.glob("rules/*.smk"))]:
        name = file.relative_to(root)
        if workflow.sourcecache.open(rules_root.join(name)).read().strip() != file.read_text().strip():
            stop(
                f"tcpsweep: {rules_root} has another {name} than the package of this Python, which is in {root}; "
                "check the same version out there, or name that version in the Snakefile"
            )


def sweep_file(workflow: Workflow, config: Mapping[str, Any], is_module: bool) -> Path:
    """The file that --configfile or another workflow names, or the default sweep."""
    if is_module:
        return _file_of_module(workflow, config)
    if workflow.config_settings.config.keys() - {ON_CLUSTER}:
        stop("tcpsweep: --config is not read: a sweep is what its file says; change the file")
    files = [Path(path) for path in workflow.configfiles]
    if len(files) > 1:
        stop(f"tcpsweep: one sweep at a time; --configfile names {len(files)} files")
    return files[0] if files else source_folders.ROOT / "config" / "config.yaml"


def _file_of_module(workflow: Workflow, config: Mapping[str, Any]) -> Path:
    """The sweep file that another workflow names, or that it read all its settings from, as snakedeploy writes it."""
    paths = workflow.modifier.path_modifier
    if paths.prefix or paths.modifies_prefixes:
        stop("tcpsweep: a module's `prefix:` is not followed; run in another folder, by `snakemake --directory`")
    if SWEEP_FILE in config:
        return Path(config[SWEEP_FILE])
    files = workflow.config_settings.configfiles or workflow.configfiles
    if "sweep" not in config or len(files) != 1:
        stop(f'tcpsweep: a module needs its sweep file named: `config: {{"{SWEEP_FILE}": "my-sweep.yaml"}}`')
    return Path(files[0])
