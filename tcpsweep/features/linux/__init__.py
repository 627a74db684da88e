# SPDX-License-Identifier: MIT
"""Linux' TCP in simulations: kernels, how they are built, programs as flows, and the comparison with ns-3."""
