# SPDX-License-Identifier: MIT
"""An ingredient: what a simulation is made of besides parameters, such as corrections of ns-3 or a Linux kernel."""

from typing import Protocol


class Ingredient(Protocol):
    """What a feature adds to simulations."""
