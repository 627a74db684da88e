# SPDX-License-Identifier: MIT
"""A published study: its printed numbers and claims, held against a sweep's runs."""
