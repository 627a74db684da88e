# SPDX-License-Identifier: MIT
"""The interface for the rules. Only this folder of the package uses Snakemake's objects."""
