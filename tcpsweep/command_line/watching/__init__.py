# SPDX-License-Identifier: MIT
"""A sweep watched from outside its run: what its files say, in a terminal and as a page. Nothing here locks."""
