# SPDX-License-Identifier: MIT
"""What stands on the core: each folder is a capability with all that belongs to it."""
