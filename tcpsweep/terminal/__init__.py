# SPDX-License-Identifier: MIT
"""What is said while a sweep runs, and at its end."""
