# SPDX-License-Identifier: MIT
"""Which ns-3 a sweep runs in, what it knows, and how programs are compiled for it."""
