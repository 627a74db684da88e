# SPDX-License-Identifier: MIT
"""How simulators of features run. The workers of a batch load this, so it loads no planning."""

from tcpsweep.core.contact.features import Runner
from tcpsweep.features.linux import kernel_run
from tcpsweep.features.rank import confined_run

RUNNERS: tuple[Runner, ...] = (kernel_run.run, confined_run.run)
