# SPDX-License-Identifier: MIT
"""A certificate: where ns-3's TCP, as it is and corrected, is equivalent to Linux' TCP within declared margins."""
