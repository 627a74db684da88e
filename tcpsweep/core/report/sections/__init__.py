# SPDX-License-Identifier: MIT
"""The sections of a sweep's report, a module for each: from tables to the texts that the template shows."""
