# SPDX-License-Identifier: MIT
"""The kernel of the machine, where it is the TCP of a sweep's flows: what it has and what it allows."""
