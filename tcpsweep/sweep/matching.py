# SPDX-License-Identifier: MIT
"""Conditions on combinations."""

from tcpsweep.words import units


def is_met(wanted, row):
    """Whether a combination has, of all that `wanted_values` gives, one of the values."""
    return all(row.get(name) in values for name, values in wanted.items())


def number(value, form):
    """A value that has an order as a number, else None."""
    if isinstance(value, bool):
        return None
    try:
        return float(units.si(value, form))
    except (TypeError, ValueError):
        return None


def nearest_value(name, form, value, combinations):
    """The text of a parameter's value in the sweep that is nearest to one, where these are numbers; else its own."""
    wanted = number(value, form)
    found = [(row[name], number(row[name], form)) for row in combinations if name in row]
    distances = {units.text(there): abs(size - wanted) for there, size in found if None not in (size, wanted)}
    return min(distances, key=distances.get, default=units.text(value))
