# SPDX-License-Identifier: MIT
"""What features compile once for all sweeps of a user."""

from tcpsweep.core.contact.build import Build
from tcpsweep.features.linux import build as kernels
from tcpsweep.features.quic import stack_build as quic_stacks

BUILDS: tuple[Build, ...] = (quic_stacks.BUILD, kernels.BUILD)
