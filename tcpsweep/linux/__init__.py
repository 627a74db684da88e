# SPDX-License-Identifier: MIT
"""Linux kernels whose TCP a sweep's flows can use: how they are built, and how they run."""
