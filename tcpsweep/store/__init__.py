# SPDX-License-Identifier: MIT
"""Where files lie and how they get there whole: paths, the lock, compiled programs."""
