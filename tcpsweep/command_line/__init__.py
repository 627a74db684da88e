# SPDX-License-Identifier: MIT
"""What the command line takes: the commands for people, and the steps that rules call.

Their functions import what they need when they run, because every start of a step counts, and every look at a finished
sweep.
"""
