# SPDX-License-Identifier: MIT
"""What a person types and sees: `main`, the tables of commands, a file for each command, and what is shown.

Commands import what they need when they run, because every start of a step counts, and every look at a finished sweep.
"""
