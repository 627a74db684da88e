# SPDX-License-Identifier: MIT
"""The checks of an audit, by where the counts that they compare come from."""
