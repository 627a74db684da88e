# SPDX-License-Identifier: MIT
"""The dossier of a congestion control: what RFC 9743 asks of a new one, run, judged, and written as one report."""
