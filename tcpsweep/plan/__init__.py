# SPDX-License-Identifier: MIT
"""What is missing of a sweep, what it costs, and the jobs that it is dealt into."""
