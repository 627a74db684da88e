# SPDX-License-Identifier: MIT
"""All that sweeps leave, before and after a change of the code that must change none of it."""
