# SPDX-License-Identifier: MIT
"""What a sweep must show: `expect` of a sweep file."""
