# SPDX-License-Identifier: MIT
"""Find the sweep file of a run of Snakemake, and check that the rules belong to this package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpsweep.identity import source_folders
from tcpsweep.workflow.snakemake_api import ON_CLUSTER
from tcpsweep.workflow.stop import stop

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

SWEEP_FILE = "sweep_file"  # the key by which another workflow names it


def check_package(workflow: Workflow) -> None:
    """Refuse rules that do not belong to this package: a module may take its rules from anywhere."""
    root, rules_root = source_folders.ROOT, workflow.current_basedir.join("..")
    if rules_root.is_local:
        if root != (folder := Path(rules_root.get_path_or_uri(secret_free=True)).resolve()):
            stop(
                f"tcpsweep: this Python has the package of {root}, but the rules are in {folder}; "
                "run `make setup` there, and use its .venv/bin/snakemake"
            )
        return
    for file in [root / "Snakefile", *sorted(root.glob("rules/*.smk"))]:
        name = file.relative_to(root)
        if workflow.sourcecache.open(rules_root.join(name)).read().strip() != file.read_text().strip():
            stop(
                f"tcpsweep: {name} differs between {rules_root} and this Python's package in {root}; "
                "check out the same version there, or name that version in the Snakefile"
            )


def sweep_file(workflow: Workflow, config: Mapping[str, Any], is_module: bool) -> Path:
    """The sweep file that --configfile or another workflow names. Default: the default sweep."""
    if is_module:
        return _file_of_module(workflow, config)
    if workflow.config_settings.config.keys() - {ON_CLUSTER}:
        stop("tcpsweep: --config has no effect: only the sweep file defines a sweep; edit the file")
    files = [Path(path) for path in workflow.configfiles]
    if len(files) > 1:
        stop(f"tcpsweep: --configfile names {len(files)} files; run one sweep at a time")
    file = files[0] if files else source_folders.ROOT / "config" / "config.yaml"
    # Snakemake makes paths absolute. Messages name the file as its author does.
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def _file_of_module(workflow: Workflow, config: Mapping[str, Any]) -> Path:
    """The sweep file that another workflow names, or its only config file, as in workflows by snakedeploy."""
    paths = workflow.modifier.path_modifier
    if paths.prefix or paths.modifies_prefixes:
        stop("tcpsweep: a module's `prefix:` has no effect; to use another folder, run `snakemake --directory DIR`")
    if SWEEP_FILE in config:
        return Path(config[SWEEP_FILE])
    files = workflow.config_settings.configfiles or workflow.configfiles
    if "sweep" not in config or len(files) != 1:
        stop(f'tcpsweep: a module has to name its sweep file: `config: {{"{SWEEP_FILE}": "my-sweep.yaml"}}`')
    return Path(files[0])
