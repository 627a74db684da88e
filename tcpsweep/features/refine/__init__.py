# SPDX-License-Identifier: MIT
"""Points on an axis where a difference turns round: `refine` of a sweep file."""
