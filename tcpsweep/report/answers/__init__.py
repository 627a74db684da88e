# SPDX-License-Identifier: MIT
"""What a sweep's file asks, answered on the first screen of its report and in the terminal's last lines."""
