# SPDX-License-Identifier: MIT
"""Applications of the pipeline: archives, imported captures, comparisons of two sweeps, and dossiers."""
