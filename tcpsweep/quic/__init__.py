# SPDX-License-Identifier: MIT
"""The QUIC stacks that flows can use: libraries in Rust, compiled once for a user."""
