# SPDX-License-Identifier: MIT
# What a run is given: the package whose rules these are, and a sweep file. It may be another workflow that gives them:
#
#     module tcpsweep:
#         snakefile: "../tcpsweep/Snakefile"
#         config: {"sweep_file": "my-sweep.yaml"}
#
#     use rule * from tcpsweep
import sys
from pathlib import Path

IS_MODULE = not workflow.modifier.is_main_snakefile()
# Settings that are no part of a sweep file; the first is a profile's (see plan.smk), and so is the name of a job's sweep.
ON_CLUSTER_KEY, PLANNED = "on_cluster", "planned"
SWEEP_FILE = "sweep_file"
SET_UP = "clone tcpsweep, run `make setup` there, and take the snakemake in that clone's .venv/bin"


try:
    from tcpsweep import cli
    from tcpsweep.identity import source_folders
    from tcpsweep.words import control_characters
except ModuleNotFoundError as error:
    sys.exit(f"tcpsweep: {sys.executable} has no module {error.name}: {SET_UP}")


def stop(message):
    """End Snakemake with a message and without a traceback."""
    print(control_characters.escaped(str(message)), file=sys.stderr, flush=True)
    sys.exit(1)


def check_package():
    """Refuse rules that are not those beside the package, which a module may take from anywhere."""
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


def named_by_module():
    """The sweep file that another workflow names, or that all its settings were read from, as snakedeploy writes it."""
    if (paths := workflow.modifier.path_modifier).prefix or paths.modifies_prefixes:
        stop("tcpsweep: a module's `prefix:` is not followed; run in another folder, by `snakemake --directory`")
    if SWEEP_FILE in config:
        return Path(config[SWEEP_FILE])
    files = workflow.config_settings.configfiles or workflow.configfiles
    if config != workflow.modifier_stack[0].globals["config"] or len(files) != 1:
        stop(f'tcpsweep: a module needs its sweep file named: `config: {{"{SWEEP_FILE}": "my-sweep.yaml"}}`')
    return Path(files[0])


def sweep_file():
    """The one file that --configfile or another workflow names, or the default sweep."""
    if IS_MODULE:
        return named_by_module()
    if workflow.config_settings.config.keys() - {ON_CLUSTER_KEY, PLANNED}:
        stop("tcpsweep: --config is not read: a sweep is what its file says; change the file")
    files = [Path(path) for path in workflow.configfiles]
    if len(files) > 1:
        stop(f"tcpsweep: one sweep at a time; --configfile names {len(files)} files")
    return files[0] if files else source_folders.ROOT / "config" / "config.yaml"


check_package()
cli.own_programs_first()  # the rules' commands call `tcpsweep`, wherever Snakemake was started
