# SPDX-License-Identifier: MIT
"""Applications of the pipeline: archives, imported captures, certificates, comparisons, dossiers, versions of ns-3."""
