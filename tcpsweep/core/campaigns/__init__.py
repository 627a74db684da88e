# SPDX-License-Identifier: MIT
"""What commands share that run several sweeps: derive their sweep files, run them, and compare two of them."""
