# SPDX-License-Identifier: MIT
"""What the rules use. No other folder of the package touches Snakemake's objects."""
