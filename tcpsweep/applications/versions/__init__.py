# SPDX-License-Identifier: MIT
"""A sweep in several versions of ns-3: which conclusions change, and by which commit of ns-3."""
