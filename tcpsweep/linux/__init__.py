# SPDX-License-Identifier: MIT
"""The machine's Linux kernel, whose TCP a sweep's flows can use: its features and permissions."""
