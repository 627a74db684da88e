# SPDX-License-Identifier: MIT
# RUN, PLAN and JOBS, which all rules use: this run of Snakemake, its sweep's remaining work, and the jobs' folder.
# Another workflow can use the rules as follows. The last six lines show the progress and the summary, and let the sweep
# stop at a signal:
#
#     module tcpsweep:
#         snakefile: "../tcpsweep/Snakefile"
#         config: {"sweep_file": "my-sweep.yaml"}
#
#     use rule * from tcpsweep
#
#     onstart:
#         tcpsweep.onstart()
#     onsuccess:
#         tcpsweep.onsuccess()
#     onerror:
#         tcpsweep.onerror()
import sys
from pathlib import Path

# In a clone, the package is next to the Snakefile, and needs no installation.
CLONE = workflow.current_basedir.join("..")
LOCK = "envs/requirements.txt"
if CLONE.is_local:
    folder = Path(CLONE.get_path_or_uri(secret_free=True)).resolve()
    sys.path.insert(0, str(folder))
    LOCK = folder / LOCK
try:
    from tcpsweep.core.plan import step_costs
    from tcpsweep.core.store import layout
    from tcpsweep.core.sweep import sweep_tables
    from tcpsweep.core.workflow import run
    from tcpsweep.registry import connect
except ModuleNotFoundError as error:
    sys.exit(
        f"tcpsweep: {sys.executable} has no module {error.name}: install the packages of a clone of tcpsweep by "
        f"`{sys.executable} -m pip install -r {LOCK}`, or run `make setup` there and use its .venv/bin/snakemake"
    )

connect.connect()
RUN = run.start(workflow, config)
PLAN = RUN.plan
JOBS = PLAN.folder / layout.JOBS  # plan files, logs and stamps of jobs


# The sweep's name, which Snakemake passes to jobs on other machines.
envvars:
    "TCPSWEEP_PLANNED",
