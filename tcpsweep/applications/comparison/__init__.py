# SPDX-License-Identifier: MIT
"""What changed from one sweep to another."""
