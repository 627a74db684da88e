# SPDX-License-Identifier: MIT
"""The features by name, in a list for each use. Only this folder names them, and the core never imports it."""
