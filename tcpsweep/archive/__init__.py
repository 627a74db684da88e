# SPDX-License-Identifier: MIT
"""A sweep in one file that others can keep, cite, read and run again."""
