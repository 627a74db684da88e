# SPDX-License-Identifier: MIT
"""The QUIC stacks that flows can use: libraries in Rust or C, compiled once for a user."""
