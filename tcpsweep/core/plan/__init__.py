# SPDX-License-Identifier: MIT
"""A sweep's missing cells, their expected cost, and the batches that run them."""
