# SPDX-License-Identifier: MIT
"""A sweep that is hit by faults at random times: `make torture`."""
