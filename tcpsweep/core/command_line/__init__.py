# SPDX-License-Identifier: MIT
"""The command line: `main`, the tables of commands, a file for each command, and the terminal's output.

Commands import their modules when they run, so that rules, and commands on finished sweeps, start fast.
"""
