# SPDX-License-Identifier: MIT
"""What a sweep file asks for besides its combinations: figures, tables, precision, and axes whose values are found."""
