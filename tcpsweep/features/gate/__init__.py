# SPDX-License-Identifier: MIT
"""Two versions of a variant, a QUIC stack or a kernel, compared for a pull request."""
