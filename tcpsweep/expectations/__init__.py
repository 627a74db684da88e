# SPDX-License-Identifier: MIT
"""What a sweep file expects: how it is written, whether it holds, and in which words."""
