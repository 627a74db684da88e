# SPDX-License-Identifier: MIT
"""Whether a new version of a congestion control or of a kernel changed its goodput, for a pull request."""
