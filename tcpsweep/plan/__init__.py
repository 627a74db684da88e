# SPDX-License-Identifier: MIT
"""A sweep's missing cells, their expected cost, and the jobs that they are dealt into."""
