# SPDX-License-Identifier: MIT
"""A published study: its printed numbers and claims, compared with a sweep's runs."""
