# SPDX-License-Identifier: MIT
"""The commands of features, and what features do before `sweep` and `check`. No step of a sweep imports these lists."""

from tcpsweep.core.contact.command import BeforeCheck, BeforeRun
from tcpsweep.features.archive import commands as archive_commands
from tcpsweep.features.captures import commands as captures_commands
from tcpsweep.features.certificate import commands as certificate_commands
from tcpsweep.features.corrections import commands as corrections_commands
from tcpsweep.features.dossier import commands as dossier_commands
from tcpsweep.features.gate import commands as gate_commands
from tcpsweep.features.linux import commands as linux_commands
from tcpsweep.features.rank import commands as rank_commands
from tcpsweep.features.versions import commands as versions_commands
from tcpsweep.features.watch import commands as watch_commands

# What is done with a sweep file before it runs, and before it is checked.
BEFORE_RUNS: list[BeforeRun] = [versions_commands.run_listed, linux_commands.build_kernel]
BEFORE_CHECKS: list[BeforeCheck] = [versions_commands.check_listed]
COMMANDS = [
    *linux_commands.COMMANDS,
    *dossier_commands.COMMANDS,
    *gate_commands.COMMANDS,
    *rank_commands.COMMANDS,
    *versions_commands.COMMANDS,
    *watch_commands.COMMANDS,
    *captures_commands.COMMANDS,
    *certificate_commands.COMMANDS,
    *archive_commands.COMMANDS,
    *corrections_commands.COMMANDS,
]
