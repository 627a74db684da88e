# SPDX-License-Identifier: MIT
"""What makes Snakemake know `logger: tcpsweep`: it looks for packages by their names alone."""

from tcpsweep.terminal.snakemake_messages import LogHandler

__all__ = ["LogHandler"]
