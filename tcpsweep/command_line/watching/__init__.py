# SPDX-License-Identifier: MIT
"""Watch a sweep from outside its run by its files, in a terminal and as a page. Nothing here takes a lock."""
