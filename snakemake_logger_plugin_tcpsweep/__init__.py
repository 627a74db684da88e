# SPDX-License-Identifier: MIT
"""Register `logger: tcpsweep` with Snakemake, which finds its plugins by their packages' names."""

from tcpsweep.core.workflow.snakemake_messages import LogHandler

__all__ = ["LogHandler"]
