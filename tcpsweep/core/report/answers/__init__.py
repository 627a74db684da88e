# SPDX-License-Identifier: MIT
"""The answer to a sweep file's question, on its report's first screen and in the terminal's last lines."""
