# SPDX-License-Identifier: MIT
"""The overview of a sweep as one picture, drawn without a browser."""
