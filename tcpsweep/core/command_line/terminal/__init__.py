# SPDX-License-Identifier: MIT
"""What the terminal shows while a sweep runs, and at its end."""
