# SPDX-License-Identifier: MIT
"""The changes from one sweep to another."""
