# SPDX-License-Identifier: MIT
"""Watch a sweep from outside its run by its files. Nothing here takes a lock."""
