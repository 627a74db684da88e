# SPDX-License-Identifier: MIT
"""How this process starts others."""
