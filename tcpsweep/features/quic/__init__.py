# SPDX-License-Identifier: MIT
"""QUIC stacks as flows: how they are built, and checks of their names."""
