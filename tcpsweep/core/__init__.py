# SPDX-License-Identifier: MIT
"""What every sweep needs: from the sweep file over simulations and their tables to the report."""
