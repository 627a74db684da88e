# SPDX-License-Identifier: MIT
"""What stands on the pipeline: archives, captures of others, comparisons of two sweeps, and dossiers."""
