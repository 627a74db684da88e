# SPDX-License-Identifier: MIT
"""Whether values that are valid by themselves go together, and whether this ns-3 and this kernel have what is named."""
