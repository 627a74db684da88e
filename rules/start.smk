# SPDX-License-Identifier: MIT
# RUN and PLAN, which all rules use: this run of Snakemake, and its sweep's remaining work. Another workflow can use the
# rules as follows. The last six lines show the progress and the summary, and let the sweep stop at a signal:
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

try:
    from tcpsweep.workflow import run
except ModuleNotFoundError as error:
    sys.exit(
        f"tcpsweep: {sys.executable} has no module {error.name}: clone tcpsweep, run `make setup` there, "
        "and take the snakemake in that clone's .venv/bin"
    )

RUN = run.start(workflow, config)
PLAN = RUN.plan


# The sweep's name, which Snakemake passes to jobs on other machines.
envvars:
    "TCPSWEEP_PLANNED",
