# SPDX-License-Identifier: MIT
"""Where ns-3's TCP is equivalent to Linux', from a sweep with both."""
