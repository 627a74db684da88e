# SPDX-License-Identifier: MIT
"""Known defects of ns-3's TCP, what corrects them, and which numbers they touch."""
