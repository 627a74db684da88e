# SPDX-License-Identifier: MIT
"""The keys and values that a sweep file may have, and suggestions for wrong ones."""
