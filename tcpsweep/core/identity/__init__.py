# SPDX-License-Identifier: MIT
"""Which code determines which bytes: hashes of C++ and Python, and the code of each step."""
